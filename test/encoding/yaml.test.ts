import { expect } from 'chai'
import fc from 'fast-check'
import { parse } from 'yaml'
import { decodeWholeYaml, decodeYaml, encodeYaml } from '../../apiserver/encoding/yaml.ts'
import { jsonText } from '../../apiserver/meta/json/exactJson.ts'
import { StatusError } from '../../apiserver/meta/status.ts'
import { longestTurn } from '../support/longestTurn.ts'

const decode = (text: string) => decodeYaml(Buffer.from(text))

async function refusal(text: string): Promise<unknown> {
  try {
    return await decode(text)
  } catch (error) {
    return error instanceof StatusError ? [error.code, error.message] : error
  }
}

describe('decodeYaml: directives', () => {
  it('accepts the version and the tags that the library knows, and no others', async () => {
    for (const directive of ['%YAML 1.1', '%YAML  1.1 # as ever', '%TAG ! tag:example.com,2000:'])
      expect((await decode(`${directive}\n---\na: on`)).value).to.deep.equal({ a: true })
    expect(await refusal('%YAML 1.2\n---\na: 1')).to.deep.equal([
      400,
      'yaml: found incompatible YAML document',
    ])
    expect(await refusal('%OTHER a\n---\na: 1')).to.deep.equal([
      400,
      'yaml: found unknown directive name',
    ])
  })
})

describe('decodeYaml: scalars', () => {
  // Values of the Go library sigs.k8s.io/yaml 1.6.
  const cases = [
    [true, 'yes Yes y on ON true TRUE'],
    [false, 'no n N off Off false'],
    [null, '~ null Null NULL'],
    ['tRue', 'tRue'],
    ['nil', 'nil "nil"'],
    ['yes', '"yes" \'yes\''],
    [7, '7 +7 07 0o7 0x7 0b111 0_7'],
    [8, '08'],
    [-31, '-31 -0x1f -0b11111 -037'],
    [1000, '1000 1_000 1e3 1E+3 1000. 1000.0'],
    [0.5, '.5 0.5 5e-1 +.5'],
    [2 ** 64 - 1, '18446744073709551615'],
    ['0o8', '0o8'],
    ['2020-01-01', '2020-01-01'],
    ['2020-01-01T00:00:00Z', '2020-01-01T00:00:00Z'],
    ['1:30', '1:30'],
    ['1e999', '1e999'],
    ['.', '.'],
    ['_1', '_1'],
    ['7', '"7"'],
  ] as const
  for (const [want, texts] of cases) {
    for (const text of texts.split(' ')) {
      it(`${text} is ${JSON.stringify(want)}`, async () => {
        expect((await decode(`a: ${text}`)).value).to.deep.equal({ a: want })
      })
    }
  }

  const tagged = [
    ['!!str 1', '1'],
    ['!!int "5"', 5],
    ['!!float 5', 5],
    ['!!bool yes', true],
    ['!!null ""', null],
    ['!!binary aGVsbG8=', 'hello'],
    ['!foo bar', 'bar'],
  ] as const
  for (const [text, want] of tagged) {
    it(`${text} is ${JSON.stringify(want)}`, async () => {
      expect((await decode(text)).value).to.equal(want)
    })
  }
})

describe('decodeYaml: documents', () => {
  const cases = [
    ['nothing', '', null],
    ['a comment', '# c\n', null],
    ['JSON', '{"a": [1, "x\\u0041\\/"]}', { a: [1, 'xA/'] }],
    ['the first of several', 'a: 1\n---\nb: [\n', { a: 1 }],
    ['blocks', 'a: |\n  x\n  y\nb: >-\n  x\n  y\n', { a: 'x\ny\n', b: 'x y' }],
    ['keys of other types', '1: a\nyes: b\n1.5: c\n', { 1: 'a', true: 'b', 1.5: 'c' }],
    ['aliases', 'x: &x {a: 1}\nw: [*x, *x]\n', { x: { a: 1 }, w: [{ a: 1 }, { a: 1 }] }],
    ['an anchor set anew', 'a: &x 1\nb: *x\nc: &x 2\nd: *x\n', { a: 1, b: 1, c: 2, d: 2 }],
    [
      'a merge',
      'x: &x {a: 1, b: 2}\nw:\n  <<: *x\n  c: 3\n',
      { x: { a: 1, b: 2 }, w: { a: 1, b: 2, c: 3 } },
    ],
    [
      'merges, the first before the second',
      'x: &x {a: 1}\nz: &z {a: 2, b: 2}\nw: {<<: [*x, *z]}\n',
      { x: { a: 1 }, z: { a: 2, b: 2 }, w: { a: 1, b: 2 } },
    ],
    ['a quoted merge key as a key', '"<<": 1', { '<<': 1 }],
  ] as const
  for (const [name, text, want] of cases) {
    it(`reads ${name}`, async () => expect((await decode(text)).value).to.deep.equal(want))
  }

  it('copies the targets of aliases', async () => {
    const { value } = await decode('- &x {a: 1}\n- *x\n')
    const [first, second] = Array.isArray(value) ? value.map((item: unknown) => item) : []
    expect(first).to.deep.equal(second)
    expect(first).to.not.equal(second)
  })

  it('keeps a key __proto__ as data', async () => {
    const { value } = await decode('a: {__proto__: {b: 1}, c: 1}\n__proto__: {b: 1}\n')
    expect(JSON.stringify(value)).to.equal('{"a":{"__proto__":{"b":1},"c":1},"__proto__":{"b":1}}')
    expect(Reflect.get(value as object, 'b')).to.equal(undefined)
    expect(Reflect.get({}, 'b')).to.equal(undefined)
  })

  const duplicated = [
    ['a: 1\na: 2\n', { a: 2 }, ['line 2: key "a" already set in map']],
    ['{"a": 1, "a": 2}', { a: 2 }, ['line 1: key "a" already set in map']],
    [
      'a:\n  b: 1\n  b:\n    c: 1\na: x\n',
      { a: 'x' },
      ['line 4: key "b" already set in map', 'line 5: key "a" already set in map'],
    ],
    ['1: a\n1: b\n', { 1: 'b' }, ['line 2: key 1 already set in map']],
    [
      'x: &x {a: 1}\nw:\n  <<: *x\n  a: 3\n',
      { x: { a: 1 }, w: { a: 3 } },
      ['line 4: key "a" already set in map'],
    ],
  ] as const
  for (const [text, value, duplicates] of duplicated) {
    it(`reports ${JSON.stringify(text)}`, async () => {
      expect(await decode(text)).to.deep.equal({ value, duplicates })
    })
  }
})

describe('decodeYaml: refusals', () => {
  const laughs = ['a0: &a0 [x,x,x,x,x,x,x,x,x,x]']
  for (let level = 1; level < 9; level++) {
    const alias = `*a${level - 1}`
    laughs.push(`a${level}: &a${level} [${Array<string>(10).fill(alias).join(',')}]`)
  }
  const aliasing = 'yaml: document contains excessive aliasing'
  const deep = 'yaml: exceeded max depth of 250'
  const deepFlow = 'yaml: exceeded max depth of 10000'
  const laterDeep = 'yaml: line 2: exceeded max depth of 10000'
  const nestedAliases = ['a0: &a0 1']
  for (let level = 1; level < 20; level++) {
    const inner = `*a${level - 1}`
    nestedAliases.push(`a${level}: &a${level} ${'['.repeat(20)}${inner}${']'.repeat(20)}`)
  }
  const large = 'Request entity too large: YAML of more than 80000 tokens, send JSON instead'
  const cases = [
    ['a tab', 'a:\n\tb: 1', 400, 'yaml: line 2: Tabs are not allowed as indentation'],
    ['an anchor that is not there', 'a: *b', 400, "yaml: unknown anchor 'b' referenced"],
    ['a loop', 'a: &a [*a]', 400, "yaml: anchor 'a' value contains itself"],
    ['a tag that does not fit', 'a: !!int x', 400, 'yaml: cannot decode !!str `x` as a !!int'],
    ['infinity', 'a: .inf', 400, 'json: unsupported value: +Inf'],
    ['a list as key', '? [a]\n: b\n', 400, 'yaml: invalid map key: ["a"]'],
    [
      'a merge of no map',
      '<<: 1',
      400,
      'yaml: map merge requires map or sequence of maps as the value',
    ],
    ['many laughs', laughs.join('\n'), 400, aliasing],
    [
      'long texts by alias',
      `a: &a "${'x'.repeat(1e5)}"\nb: [${Array<string>(100).fill('*a').join()}]`,
      400,
      aliasing,
    ],
    ['deep brackets', '['.repeat(1e6), 400, deepFlow],
    ['deep braces', '{a: '.repeat(1e6), 400, deepFlow],
    [
      'one level too many',
      `a: ${'['.repeat(10_000)}${']'.repeat(10_000)}`,
      400,
      "invalid character '[' exceeded max depth",
    ],
    ['deep lists', '- '.repeat(1e6), 400, deep],
    ['deep keys', '? '.repeat(1e6), 400, deep],
    ['deep JSON', `{"a":${'['.repeat(1e6)}`, 400, deepFlow],
    ['deep braces on a later line', `a: 1\nb: ${'{a: '.repeat(10_001)}`, 400, laterDeep],
    [
      'deep aliases',
      `${nestedAliases.join('\n')}`,
      400,
      "invalid character '[' exceeded max depth",
    ],
    ['many commas', '[' + ','.repeat(1e6), 413, large],
    ['many lines', 'a: |\n' + '\n'.repeat(1e6), 413, large],
  ] as const
  for (const [name, text, code, message] of cases) {
    it(`refuses ${name}: ${code}`, async () => {
      expect(await refusal(text)).to.deep.equal([code, message])
    })
  }

  it('refuses unclosed brackets: 400', async () => {
    expect(await refusal(`a: ${'['.repeat(5000)}`)).to.include(400)
  })

  it('reads lists nested 250 times', async () => {
    const text = '['.repeat(250) + ']'.repeat(250)
    expect(JSON.stringify((await decode(text)).value)).to.equal(text)
  })

  const brackets: [string, string, string][] = [
    ['lists', '[', ']'],
    ['maps', '{a: ', '}'],
    ['lists of maps', '[{a: ', '}]'],
  ]
  for (const [what, opening, closing] of brackets) {
    it(`reads ${what} nested more deeply as opaque content (reference 1.12)`, async () => {
      const depth = 9998 / (opening.length > 4 ? 2 : 1)
      const text = `a: ${opening.repeat(depth)}1${closing.repeat(depth)}\nb: "["\nc: |\n  {\nd: '{'\n`
      const { value, isDeep } = await decode(text)
      const { a, ...rest } = value as { a: unknown }
      expect([rest, isDeep]).to.deep.equal([{ b: '[', c: '{\n', d: '{' }, true])
      expect(() => JSON.stringify(a))
        .to.throw(StatusError)
        .with.property('code', 400)
    })
  }
})

describe('decodeWholeYaml', () => {
  it('gives way to other work while it reads a long text', async () => {
    const text = Array.from({ length: 1_000 }, () => `- {${'a: 1, '.repeat(8)}b: 2}`).join('\n')
    // Loads the parser, which is a turn of its own.
    await decodeWholeYaml(Buffer.from('a: b'))
    const began = performance.now()
    const longest = await longestTurn(() => decodeWholeYaml(Buffer.from(text)))
    expect(longest).to.be.lessThan(0.8 * (performance.now() - began))
  })
})

describe('encodeYaml', () => {
  const cases = [
    [null, 'null\n'],
    [{}, '{}\n'],
    [[], '[]\n'],
    [
      { b: 1, a: [{ d: [], c: {} }, 'x', [1, [2]]] },
      'a:\n- c: {}\n  d: []\n- x\n- - 1\n  - - 2\nb: 1\n',
    ],
    [{ a: undefined, b: { c: undefined } }, 'b: {}\n'],
    [{ a: 'x\ny\n', b: ['x\ny', 'x\n\n'] }, 'a: |\n  x\n  y\nb:\n- |-\n  x\n  y\n- |+\n  x\n\n'],
    [{ a10: 1, a2: 2, B: 3, _: 4, '1': 5 }, '_: 4\n"1": 5\nB: 3\na2: 2\na10: 1\n'],
    [
      { a: 'k8s.io/x', b: 'a:b', c: 'x y', d: 'v1', e: 'é' },
      'a: k8s.io/x\nb: a:b\nc: x y\nd: v1\ne: é\n',
    ],
    [{ a: 'x: y', b: ' #', c: '', d: '\t' }, 'a: "x: y"\nb: " #"\nc: ""\nd: "\\t"\n'],
  ] as const
  for (const [value, want] of cases) {
    it(`writes ${JSON.stringify(value)}`, () => expect(encodeYaml(value)).to.equal(want))
  }

  const lookalikes =
    'yes y no N on off true null ~ 1 1e3 0o7 07 0x1F 1_000 -1 .5 .inf .nan 2020-01-01 1:30 190:20:30.15 = << - ? ! & * % @ # --- ... { [ , | > \' " 0b1 1. +1 2001-12-14t21:59:43.10-05:00'
  for (const text of lookalikes.split(' ')) {
    it(`keeps ${text} a string for readers of YAML 1.1 and 1.2, and for decodeYaml`, async () => {
      const yaml = encodeYaml({ [text]: text })
      expect(parse(yaml, { version: '1.1' })).to.deep.equal({ [text]: text })
      expect(parse(yaml)).to.deep.equal({ [text]: text })
      expect((await decode(yaml)).value).to.deep.equal({ [text]: text })
    })
  }

  it('quotes what some readers take for a number without leading digits', () => {
    expect(encodeYaml({ e0: 'E+1', e: 'ex' })).to.equal('e: ex\n"e0": "E+1"\n')
  })

  it('is read back by decodeYaml, and by readers of YAML 1.1 and 1.2', async () => {
    const letters = fc.constantFrom(
      ...'a1 \n\t-:#"\'\\{}[]|>&*!%@,?=.~\u00a0\u2028\u{1f642}\x7f\ufeff\r'.split(''),
    )
    const text = fc.oneof(
      fc.string(),
      fc.array(letters).map((list) => list.join('')),
    )
    const { json } = fc.letrec<{ json: unknown }>((tie) => ({
      json: fc.oneof(
        { maxDepth: 4 },
        text,
        fc.integer(),
        fc.double({ noNaN: true, noDefaultInfinity: true }).filter((n) => !Object.is(n, -0)),
        fc.constantFrom(true, false, null),
        fc.array(tie('json'), { maxLength: 3 }),
        fc.dictionary(text, tie('json'), { maxKeys: 3, noNullPrototype: true }),
      ),
    }))
    await fc.assert(
      fc.asyncProperty(json, async (value) => {
        fc.pre(!/\\ud[89a-f]/.test(JSON.stringify(value)))
        const yaml = encodeYaml(value)
        const { value: read, duplicates } = await decode(yaml)
        expect([JSON.parse(jsonText(read)), duplicates]).to.deep.equal([value, []])
        expect(parse(yaml)).to.deep.equal(value)
        expect(parse(yaml, { version: '1.1' })).to.deep.equal(value)
      }),
      { numRuns: 500 },
    )
  })
})
