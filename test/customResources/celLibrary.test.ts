import { expect } from 'chai'
import { CelLibrary } from '../../apiserver/customResources/celLibrary.ts'

describe('CelLibrary', () => {
  const cel = new CelLibrary()
  before(() => cel.load())
  const self = {
    replicas: 1n,
    most: 2n,
    list: [1n, 2n, 3n],
    text: 'aab',
    m: { k: 'v' },
    items: [{ path: 'x' }, {}],
  }

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
    it(`${JSON.stringify(rule)} answers within a second`, () => {
      const start = performance.now()
      expect(cel.compile({ rule }).holds(self, undefined)).to.equal(false)
      expect(performance.now() - start).to.be.lessThan(1000)
    })
  }

  const unreadable = [
    { rule: '"a".matches(1)', says: "found no matching overload for 'string.matches(int)'" },
    {
      rule: `// it's\n'a'.matches(1)`,
      says: "found no matching overload for 'string.matches(int)'",
    },
    { rule: 'self.foo()', says: "found no matching overload for 'dyn.foo()'" },
    {
      rule: 'quantity("1Mi") == self.m',
      says: "found no matching overload for 'quantity(string)'",
    },
    { rule: 'self ==', says: 'Unexpected token: EOF' },
    { rule: 'size(self)', says: 'must evaluate to a bool' },
    { rule: 'other == 1', says: 'Unknown variable: other' },
  ]
  for (const { rule, says } of unreadable) {
    it(`${rule} is refused: ${says}`, () => {
      expect(() => cel.compile({ rule })).to.throw(says)
    })
  }

  it('a missing key is an error, not a refusal', () => {
    const rule = cel.compile({ rule: 'self.none == 1' })
    expect(() => rule.holds(self, undefined)).to.throw('No such key: none')
  })

  it('loops in loops over long lists are not begun', () => {
    const list = Array.from({ length: 1000 }, (_, at) => BigInt(at))
    const rule = cel.compile({
      rule: 'self.all(a, self.all(b, self.all(c, a + b + c >= 0)))',
    })
    expect(() => rule.holds(list, undefined)).to.throw('actual cost limit exceeded')
  })

  it('knows which rules are about the old object', () => {
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

  it('an expression makes the message; one that fails makes none', () => {
    const message = (messageExpression: string) =>
      cel.compile({ rule: 'false', messageExpression }).message(self, undefined)
    expect([message('"at most " + string(self.most)'), message('self.none')]).to.deep.equal([
      'at most 2',
      undefined,
    ])
  })
})
