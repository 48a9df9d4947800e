import { expect } from 'chai'
import fc from 'fast-check'
import {
  labelSelector,
  parseLabelSelector,
} from '../../../apiserver/meta/selectors/labelSelector.ts'
import type {
  LabelOperator,
  LabelRequirement,
} from '../../../apiserver/meta/selectors/labelRequirement.ts'
import { StatusError } from '../../../apiserver/meta/status.ts'

const namePart =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
const valuePart =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"

function refusal(text: string): unknown {
  try {
    return parseLabelSelector(text)
  } catch (error) {
    return error instanceof StatusError ? [error.code, error.reason, error.message] : error
  }
}

describe('parseLabelSelector (reference 4.3)', () => {
  // The canonical forms and the messages are those of the Go library, 0.35.
  const canonical = [
    ['', ''],
    [' \t\n', ''],
    ['a', 'a'],
    ['! a', '!a'],
    ['a=b', 'a=b'],
    ['a == b', 'a==b'],
    ['a!=b', 'a!=b'],
    ['a=', 'a='],
    ['a= ,b', 'a=,b'],
    ['b,a,B', 'B,a,b'],
    ['a=1,a=2', 'a=1,a=2'],
    ['a in (c, b,c)', 'a in (b,c)'],
    ['a in ()', 'a in ()'],
    ['a in (,)', 'a in ()'],
    ['a in (b,,c)', 'a in (,b,c)'],
    ['a notin(b)', 'a notin (b)'],
    ['a\tin\n(b)', 'a in (b)'],
    ['a > 1,b<2', 'a>1,b<2'],
    ['in in (in,notin)', 'in in (in,notin)'],
    ['example.com/a.b_c=D', 'example.com/a.b_c=D'],
  ] as const
  for (const [text, want] of canonical) {
    it(`reads ${JSON.stringify(text)} as ${JSON.stringify(want)}`, () => {
      expect(parseLabelSelector(text).toString()).to.equal(want)
    })
  }

  const requirement = 'unable to parse requirement: '
  const refused = [
    ['a==b==c', "found '==', expected: ',' or 'end of string'"],
    ['!a=b', "found '=', expected: ',' or 'end of string'"],
    [',', "found ',', expected: !, identifier, or 'end of string'"],
    ['a,', "found '', expected: identifier after ','"],
    ['a,,b', "found ',', expected: identifier after ','"],
    ['a b', `${requirement}found 'b', expected: in, notin, =, ==, !=, gt, lt`],
    ['!', `${requirement}found '', expected: identifier`],
    ['!!a', `${requirement}found '!', expected: identifier`],
    ['a=!b', `${requirement}found '!', expected: identifier`],
    ['a in', `${requirement}found '' expected: '('`],
    ['a in (=)', `${requirement}found '=', expected: ',', ')' or identifier`],
    ['a in (b c)', `${requirement}found 'c', expected: ',' or ')'`],
    ['a in (b,=)', `${requirement}found '=', expected: ',', or identifier`],
    ['_a', `${requirement}<nil>: Invalid value: "_a": ${namePart}`],
    ['/a', `${requirement}<nil>: Invalid value: "/a": prefix part must be non-empty`],
    ['a=-', `${requirement}values[0][a]: Invalid value: "-": ${valuePart}`],
    ['a in (b,c-)', `${requirement}values[1][a]: Invalid value: "c-": ${valuePart}`],
    [
      'a>9223372036854775808',
      `${requirement}values[0]: Invalid value: "9223372036854775808": for 'Gt', 'Lt' operators, the value must be an integer`,
    ],
    [
      `a=${'b'.repeat(64)}`,
      `${requirement}values[0][a]: Invalid value: "${'b'.repeat(64)}": must be no more than 63 bytes`,
    ],
  ] as const
  for (const [text, message] of refused) {
    it(`refuses ${JSON.stringify(text)}: 400`, () => {
      expect(refusal(text)).to.deep.equal([400, 'BadRequest', message])
    })
  }

  it('returns its parts', () => {
    const { empty, requirements } = parseLabelSelector('b in (y,x),a')
    expect({ empty, requirements }).to.deep.equal({
      empty: false,
      requirements: [
        { key: 'a', operator: 'exists', values: [] },
        { key: 'b', operator: 'in', values: ['x', 'y'] },
      ],
    })
    expect(parseLabelSelector(' ').empty).to.equal(true)
  })

  it('reads what it writes', () => {
    fc.assert(
      fc.property(fc.array(anyRequirement, { maxLength: 5 }), (requirements) => {
        const selector = parseLabelSelector(labelSelector(requirements).toString())
        expect([...selector.requirements]).to.have.deep.members(requirements)
        expect(parseLabelSelector(selector.toString())).to.have.deep.property(
          'requirements',
          selector.requirements,
        )
      }),
    )
  })
})

const name = fc.stringMatching(/^[A-Za-z0-9]([-A-Za-z0-9_.]{0,10}[A-Za-z0-9])?$/)
const values: Record<string, fc.Arbitrary<string[]>> = {
  exists: fc.constant([]),
  '!': fc.constant([]),
  in: fc.uniqueArray(fc.oneof(name, fc.constant('')), { minLength: 1 }).map((list) => list.sort()),
  number: fc.maxSafeInteger().map((value) => [String(Math.abs(value))]),
  one: fc.oneof(name, fc.constant('')).map((value) => [value]),
}
const kinds: [LabelOperator, string][] = [
  ['=', 'one'],
  ['==', 'one'],
  ['!=', 'one'],
  ['in', 'in'],
  ['notin', 'in'],
  ['exists', 'exists'],
  ['!', '!'],
  ['gt', 'number'],
  ['lt', 'number'],
]
const anyRequirement: fc.Arbitrary<LabelRequirement> = fc
  .constantFrom(...kinds)
  .chain(([operator, kind]) =>
    fc.record({
      key: name,
      operator: fc.constant(operator),
      values: values[kind] ?? fc.constant([]),
    }),
  )

describe('LabelSelector.matches (reference 4.3)', () => {
  const cases = [
    ['', undefined, true],
    ['a', {}, false],
    ['a', { a: '' }, true],
    ['!a', undefined, true],
    ['!a', { a: 'x' }, false],
    ['a=x', { a: 'x' }, true],
    ['a=x', { a: 'X' }, false],
    ['a=', { a: '' }, true],
    ['a=', {}, false],
    ['a!=x', {}, true],
    ['a!=x', { a: 'x' }, false],
    ['a!=x', { a: 'y' }, true],
    ['a in (x,y)', { a: 'y' }, true],
    ['a in (x,y)', {}, false],
    ['a notin (x,y)', {}, true],
    ['a notin (x,y)', { a: 'y' }, false],
    ['a>5', { a: '6' }, true],
    ['a>5', { a: '5' }, false],
    ['a>5', { a: 'x' }, false],
    ['a>5', {}, false],
    ['a<5', { a: '-6' }, true],
    ['a>9007199254740992', { a: '9007199254740993' }, true],
    ['a,b', { a: 'x' }, false],
    ['a,!b', { a: 'x' }, true],
    ['constructor', {}, false],
    ['!toString', {}, true],
    ['constructor=x', { constructor: 'x' }, true],
  ] as const
  for (const [text, labels, want] of cases) {
    it(`${text || 'empty'} on ${JSON.stringify(labels)}: ${want}`, () => {
      expect(parseLabelSelector(text).matches(labels)).to.equal(want)
    })
  }
})
