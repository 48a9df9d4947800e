import { expect } from 'chai'
import type { Schema } from '../../apiserver/meta/schema.ts'
import { CelLibrary } from '../../apiserver/cel/library.ts'
import { deadline } from '../support/deadlines.ts'

describe('CelLibrary', () => {
  const cel = new CelLibrary()
  const string: Schema = { type: 'string' }
  const integer: Schema = { type: 'integer' }
  const schema: Schema = {
    type: 'object',
    properties: {
      replicas: integer,
      most: integer,
      list: { type: 'array', items: integer },
      text: string,
      m: { type: 'object', additionalProperties: string },
      items: { type: 'array', items: { type: 'object', properties: { path: string } } },
    },
  }
  const value = {
    ...{ replicas: 1, most: 2, list: [1, 2, 3], text: 'aab' },
    ...{ m: { k: 'v' }, items: [{ path: 'x' }, {}] },
  }
  const self = cel.valueOf(value, schema)

  const cases = [
    { rule: 'self.replicas <= self.most', holds: true },
    { rule: 'has(self.none)', holds: false },
    { rule: '!has(self.none) || self.none.deeper == 1', holds: true },
    { rule: 'size(self.list) == 3 && self.list.all(n, n > 0)', holds: true },
    { rule: 'self.list.exists(n, n == 4)', holds: false },
    { rule: 'has(self.items[0].path) && !has(self.items[1].path)', holds: true },
    { rule: '"has(matches(" != ""', holds: true },
    { rule: 'self.text.matches("^a[[:alpha:]]+$") && self.text.matches("(?i)^A")', holds: true },
    { rule: 'self.list.exists_one(n, n == 1)', holds: true },
    { rule: 'self.list.map(n, n * 2) == [2, 4, 6]', holds: true },
    { rule: 'self.list.filter(n, n > 1).size() == 2', holds: true },
    { rule: 'self.m.all(k, k.startsWith("k")) && "k" in self.m', holds: true },
    { rule: 'self.text.matches("^a+b$")', holds: true },
    { rule: 'self.text.find("a+") == "aa"', holds: true },
    { rule: 'self.text.findAll("a") == ["a", "a"]', holds: true },
    { rule: 'self.text.replace("a", "c") == "ccb"', holds: true },
    { rule: 'self.text.charAt(2) == "b"', holds: true },
    { rule: 'self.text.lowerAscii() == "aab" && self.text.split("b").size() == 2', holds: true },
    { rule: 'self.list.isSorted() && self.list.sum() == 6', holds: true },
    { rule: 'self.list.min() == 1 && self.list.max() == 3', holds: true },
    { rule: 'self.list.indexOf(2) == 1 && self.list.lastIndexOf(9) == -1', holds: true },
    { rule: 'duration("1h") > duration("59m")', holds: true },
    { rule: 'self.list.all(at, n, n == at + 1)', holds: true },
    { rule: 'self.m.exists(k, v, k == v)', holds: false },
    { rule: 'self.m.existsOne(k, v, v == "v")', holds: true },
    { rule: 'self.list.transformList(at, n, at > 0, n * 2) == [4, 6]', holds: true },
    { rule: 'self.m.transformMap(k, v, v + k) == {"k": "vk"}', holds: true },
    { rule: 'self.m.transformMapEntry(k, v, {v: k}) == {"v": "k"}', holds: true },
    { rule: 'self.list.sortBy(n, -n) == [3, 2, 1]', holds: true },
    { rule: '["b", "a", "b"].distinct().sort() == ["a", "b"]', holds: true },
    { rule: 'self.list.slice(1, 3).reverse() == [3, 2]', holds: true },
    { rule: 'lists.range(3) == [0, 1, 2] && [[1], [2]].flatten() == [1, 2]', holds: true },
    { rule: 'sets.contains(self.list, [2]) && sets.intersects([9, 1], self.list)', holds: true },
    { rule: 'sets.equivalent([1, 1], [1]) && !sets.contains([1], [2])', holds: true },
    { rule: 'isURL("/a") && !isURL("a") && !isURL("https://a:b:c/")', holds: true },
    { rule: 'url("https://u@a.b:80/c d?q=1&q=2").getHost() == "a.b:80"', holds: true },
    { rule: 'url("https://a.b/c d").getEscapedPath() == "/c%20d"', holds: true },
    { rule: 'url("https://a/?q=1&q=%20").getQuery() == {"q": ["1", " "]}', holds: true },
    { rule: 'url("https://[::1]:8/").getHostname() == "::1"', holds: true },
    { rule: 'string(ip("2001:db8:0:0:1:0:0:1")) == "2001:db8::1:0:0:1"', holds: true },
    { rule: '!ip.isCanonical("0:0::1") && !isIP("::ffff:1.2.3.4")', holds: true },
    { rule: 'ip("fe80::1").isLinkLocalUnicast() && ip("::1").family() == 6', holds: true },
    { rule: 'cidr("10.0.0.0/8").containsIP("10.9.9.9")', holds: true },
    { rule: 'cidr("10.0.0.0/8").containsCIDR("10.0.0.0/7")', holds: false },
    { rule: 'string(cidr("10.2.3.4/8").masked()) == "10.0.0.0/8"', holds: true },
    { rule: 'isQuantity("1.5Gi") && quantity("1Ki").asInteger() == 1024', holds: true },
    { rule: 'quantity("1").add(1).sub(quantity("500m")) == quantity("1.5")', holds: true },
    { rule: 'sign(quantity("-1")) == -1 && !quantity("1.5").isInteger()', holds: true },
    { rule: 'semver("1.2.3-rc.2").isLessThan(semver("1.2.3-rc.10"))', holds: true },
    { rule: '!isSemver("v1") && semver("v1.2", true).minor() == 2', holds: true },
    { rule: '!format.dns1123Label().validate("a").hasValue()', holds: true },
    { rule: 'format.named("uri").value().validate("a").hasValue()', holds: true },
    { rule: 'optional.of(1).optMap(x, x + 1).value() == 2', holds: true },
    { rule: 'optional.ofNonZeroValue("").optFlatMap(x, optional.of(x)).hasValue()', holds: false },
    { rule: '"%s %d %.2f %x".format(["a", 1, 1.5, 255]) == "a 1 1.50 ff"', holds: true },
    { rule: '"%s %s".format([["a"], {"b": 1}]) == "[\\"a\\"] {\\"b\\":1}"', holds: true },
    { rule: '"%f %e".format([12345.5, 0.5]) == "12,345.500000 5.000000×10⁻⁰¹"', holds: true },
    {
      rule: '"aaa".replace("a", "b", 2) == "bba" && "ab".replace("", "-") == "-a-b-"',
      holds: true,
    },
    { rule: '"😀x".indexOf("x") == 1 && "😀x".substring(1) == "x"', holds: true },
  ]
  for (const { rule, holds } of cases) {
    it(`${rule} is ${holds}`, () => {
      expect(cel.compile({ rule }).holds(self, undefined)).to.equal(holds)
    })
  }

  const bad = '"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"'
  const slow = [
    `${bad}.matches("^(a+)+$")`,
    `matches(${bad}, "^(a+)+$")`,
    `// it's\n${bad}.matches('^(a+)+$')`,
    `${bad}.matches // here\n("^(a+)+$")`,
    `matches // here\n(${bad}, "^(a+)+$")`,
    `${bad}.find("^(a+)+$") != ""`,
    `${bad}.findAll("^(a+)+$").size() > 0`,
  ]
  for (const rule of slow) {
    it(`${JSON.stringify(rule)} is answered within a second`, () => {
      const start = performance.now()
      expect(cel.compile({ rule }).holds(self, undefined)).to.equal(false)
      expect(performance.now() - start).to.be.lessThan(deadline(250))
    })
  }

  const unreadable = [
    {
      rule: '"a".matches(1)',
      says: "found no matching overload for 'matches' applied to 'string.(int)'",
    },
    {
      rule: `// it's\n'a'.matches(1)`,
      says: "found no matching overload for 'matches' applied to 'string.(int)'",
    },
    { rule: 'self.foo()', says: "undeclared reference to 'foo' (in container '')" },
    {
      rule: 'amount("1Mi") == self.m',
      says: "undeclared reference to 'amount' (in container '')",
    },
    { rule: 'self ==', says: "Syntax error: mismatched input '<EOF>' expecting" },
    { rule: 'other == 1', says: "undeclared reference to 'other' (in container '')" },
  ]
  for (const { rule, says } of unreadable) {
    it(`${rule} is refused: ${says}`, () => {
      expect(() => cel.compile({ rule })).to.throw(says)
    })
  }

  it('a missing key is an error, not a refusal', () => {
    const rule = cel.compile({ rule: 'self.none == 1' })
    expect(() => rule.holds(self, undefined)).to.throw('no such key: none')
  })

  it('nested loops over long lists are refused', () => {
    const list = Array.from({ length: 1000 }, (_, at) => BigInt(at))
    const rule = cel.compile({
      rule: 'self.all(a, self.all(b, self.all(c, a + b + c >= 0)))',
    })
    expect(() => rule.holds(list, undefined)).to.throw('actual cost limit exceeded')
  })

  const costly = [
    'lists.range(1000000000).size() > 0',
    'self.replace("", self).size() > 0',
    'self.findAll("a").join(self) == ""',
  ]
  for (const source of costly) {
    it(`${source} ends before exhausting memory`, () => {
      const rule = cel.compile({ rule: source })
      expect(() => rule.holds('a'.repeat(100_000), undefined)).to.throw('cost limit exceeded')
    })
  }

  it('knows which rules use the old object', () => {
    const uses = (rule: string) => cel.compile({ rule }).usesOldSelf
    expect([uses('self == oldSelf'), uses('self.oldSelf == 1')]).to.deep.equal([true, false])
  })

  it('an old object that may be missing is an optional', () => {
    const rule = cel.compile({
      rule: 'oldSelf.hasValue() ? self >= oldSelf.value() : self == 1',
      optionalOldSelf: true,
    })
    expect([
      rule.holds(1n, undefined),
      rule.holds(2n, undefined),
      rule.holds(2n, 3n),
    ]).to.deep.equal([true, false, false])
  })

  it('a message expression makes the message; a failing one is ignored', () => {
    const message = (messageExpression: string) =>
      cel.compile({ rule: 'false', messageExpression }).message(self, undefined)
    expect([message('"at most " + string(self.most)'), message('self.none')]).to.deep.equal([
      'at most 2',
      undefined,
    ])
  })
})
