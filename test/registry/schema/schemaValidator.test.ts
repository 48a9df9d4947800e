import { expect } from 'chai'
import type { FieldError } from '../../../apiserver/meta/fieldErrors.ts'
import type { Schema } from '../../../apiserver/meta/schema.ts'
import {
  compiledCheck,
  SchemaValidator,
  walkedCheck,
} from '../../../apiserver/registry/schema/schemaValidator.ts'

const schema: Schema = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', minLength: 2, maxLength: 3 },
    size: { type: 'integer', format: 'int32', minimum: 1, maximum: 9 },
    big: { type: 'integer', format: 'int64' },
    color: { type: 'string', enum: ['red', 'blue'] },
    code: { type: 'string', pattern: '^[a-z]+$' },
    data: { type: 'object', additionalProperties: { type: 'string', format: 'byte' } },
    at: { type: 'string', format: 'date-time' },
    tags: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 2 },
    port: { 'x-kubernetes-int-or-string': true },
    note: { type: 'string', nullable: true },
  },
}

const reasonOf = (message: string): FieldError['reason'] =>
  message.startsWith('Required') ? 'FieldValueRequired' : 'FieldValueInvalid'

const checks = [
  { name: 'SchemaValidator', load: () => new SchemaValidator(schema).load() },
  { name: 'compiledCheck', load: () => compiledCheck(schema) },
  { name: 'walkedCheck', load: () => Promise.resolve(walkedCheck(schema)) },
]

for (const check of checks)
  describe(check.name, () => {
    const valid: unknown[] = [
      { name: 'ab' },
      { name: 'abc', size: 9, color: 'red', code: 'x', tags: ['a'], port: 80, note: null },
      { name: 'ab', port: 'http', at: '2030-01-01T00:00:00.5+02:00', data: { a: '', b: 'YQ==' } },
      { name: 'ab', big: 9007199254740991 },
    ]
    for (const value of valid) {
      it(`accepts ${JSON.stringify(value)}`, async () => {
        expect((await check.load())(value)).to.deep.equal([])
      })
    }

    for (const [big, isTaken] of [
      [-(2 ** 63), true],
      [2 ** 63 - 1024, true],
      [2 ** 63, false],
      [-(2 ** 63) - 2048, false],
    ] as const) {
      it(`${isTaken ? 'accepts' : 'refuses'} ${big} as int64`, async () => {
        expect((await check.load())({ name: 'ab', big }).length).to.equal(isTaken ? 0 : 1)
      })
    }

    const invalid: {
      value: unknown
      field: string
      message: string
      reason?: FieldError['reason']
    }[] = [
      { value: {}, field: 'name', message: 'Required value' },
      {
        value: { name: 5 },
        field: 'name',
        reason: 'FieldValueTypeInvalid',
        message: 'Invalid value: "integer": name in body must be of type string: "integer"',
      },
      {
        value: { name: 'ab', size: 1.5 },
        field: 'size',
        reason: 'FieldValueTypeInvalid',
        message: 'Invalid value: "number": size in body must be of type integer: "number"',
      },
      {
        value: { name: 'ab', tags: null },
        field: 'tags',
        reason: 'FieldValueTypeInvalid',
        message: 'Invalid value: "null": tags in body must be of type array: "null"',
      },
      {
        value: { name: 'ab', port: true },
        field: 'port',
        reason: 'FieldValueTypeInvalid',
        message: 'Invalid value: "boolean": port in body must be of type integer,string: "boolean"',
      },
      {
        value: { name: 'a' },
        field: 'name',
        message: 'Invalid value: "a": name in body should be at least 2 chars long',
      },
      {
        value: { name: 'abcd' },
        field: 'name',
        reason: 'FieldValueTooLong',
        message: 'Too long: may not be more than 3 bytes',
      },
      {
        value: { name: 'ab', size: 0 },
        field: 'size',
        message: 'Invalid value: 0: size in body should be greater than or equal to 1',
      },
      {
        value: { name: 'ab', size: 10 },
        field: 'size',
        message: 'Invalid value: 10: size in body should be less than or equal to 9',
      },
      {
        value: { name: 'ab', color: 'green' },
        field: 'color',
        reason: 'FieldValueNotSupported',
        message: 'Unsupported value: "green": supported values: "red", "blue"',
      },
      {
        value: { name: 'ab', code: 'X' },
        field: 'code',
        message: `Invalid value: "X": code in body should match '^[a-z]+$'`,
      },
      {
        value: { name: 'ab', data: { key: 'Y' } },
        field: 'data.key',
        message: 'Invalid value: "Y": data.key in body must be base64, RFC 4648 section 4',
      },
      {
        value: { name: 'ab', at: 'noon' },
        field: 'at',
        message: 'Invalid value: "noon": at in body must be of type date-time: "noon"',
      },
      {
        value: { name: 'ab', tags: [] },
        field: 'tags',
        message: 'Invalid value: 0: tags in body should have at least 1 items',
      },
      {
        value: { name: 'ab', tags: ['a', 'b', 'c'] },
        field: 'tags',
        reason: 'FieldValueTooMany',
        message: 'Too many: 3: must have at most 2 items',
      },
      {
        value: { name: 'ab', tags: ['a', 1] },
        field: 'tags[1]',
        reason: 'FieldValueTypeInvalid',
        message: 'Invalid value: "integer": tags[1] in body must be of type string: "integer"',
      },
    ]
    for (const { value, field, message, reason = reasonOf(message) } of invalid) {
      it(`refuses ${JSON.stringify(value)}: ${reason}`, async () => {
        expect((await check.load())(value)).to.deep.equal([{ reason, field, message }])
      })
    }

    it('reports all errors', async () => {
      const errors = (await check.load())({ size: 'x', tags: [1] })
      expect(errors.map(({ field }) => field).sort()).to.deep.equal(['name', 'size', 'tags[0]'])
    })
  })

for (const { name, load } of [
  { name: 'compiledCheck', load: (one: Schema) => compiledCheck(one) },
  { name: 'walkedCheck', load: (one: Schema) => Promise.resolve(walkedCheck(one)) },
]) {
  it(`${name}: inherited properties are not members of a value`, async () => {
    const names = ['toString', 'constructor', 'hasOwnProperty']
    const text: Schema = { type: 'string' }
    const strict = { type: 'object', required: names, additionalProperties: text } as const
    const declared: Schema = { type: 'object', properties: { toString: text, valueOf: text } }
    expect((await load(strict))({}).map(({ field }) => field)).to.have.members(names)
    expect((await load(declared))({})).to.deep.equal([])
  })
}

it('walkedCheck: nothing matches a pattern that RE2 cannot read, as in an older definition', () => {
  const check = walkedCheck({ type: 'string', pattern: '(?=a)' })
  expect(check('a').map(({ reason }) => reason)).to.deep.equal(['FieldValueInvalid'])
})
