import fc, { type GeneratorValue } from 'fast-check'
import { decodeJson } from '../../../apiserver/encoding/json.ts'
import {
  parseFields,
  type FieldDescriptor,
  type Messages,
} from '../../../apiserver/encoding/protobuf/descriptor.ts'
import type { PackageName } from '../../../apiserver/encoding/protobuf/kindIndex.ts'
import messages from '../../../apiserver/encoding/protobuf/messages.json' with { type: 'json' }

/**
 * Generates values of the messages in the descriptors, in the form in which Go's JSON encoder
 * writes them after decoding them from protobuf: empty values that may be omitted are omitted.
 */
export class ValueGenerator {
  readonly #lines: Messages = messages

  message(g: GeneratorValue, packageName: PackageName, name: string): Record<string, unknown> {
    return this.#message(g, `${packageName}.${name}`, 0)
  }

  #message(g: GeneratorValue, key: string, depth: number): Record<string, unknown> {
    const dot = key.lastIndexOf('.')
    const packageName = key.slice(0, dot)
    const line = this.#lines[packageName]?.[key.slice(dot + 1)]
    if (line === undefined) throw new Error(`no ${key}`)
    return Object.fromEntries(
      parseFields(line).flatMap((field) => this.#field(g, { field, packageName, depth })),
    )
  }

  #field(g: GeneratorValue, { field, packageName, depth }: Place): [string, unknown][] {
    const type = typeKey(field.type, packageName)
    const value = (): unknown => this.#value(g, type, depth + 1)
    if (field.shape === 'inline') return Object.entries(this.#message(g, type, depth))
    if (field.shape === 'value') return kept(field, value())
    // Deep values are omitted if possible: types may contain themselves.
    if (!g(fc.boolean) || depth > 4) return field.omit === 'never' ? [[field.name, null]] : []
    if (field.shape === 'pointer') return [[field.name, value()]]
    if (field.shape === 'list') return [[field.name, [value(), value()].slice(g(fc.nat, 1))]]
    return [[field.name, { [g(text)]: value(), [g(text)]: value() }]]
  }

  #value(g: GeneratorValue, type: string, depth: number): unknown {
    const known = knownTypes[type]
    if (known !== undefined) return g(known)
    switch (type.slice(type.lastIndexOf('.') + 1)) {
      case 'JSONSchemaPropsOrArray':
        return g(fc.boolean) ? this.#schema(g, depth) : [this.#schema(g, depth)]
      case 'JSONSchemaPropsOrBool':
        return g(fc.boolean) ? this.#schema(g, depth) : g(fc.boolean)
      case 'JSONSchemaPropsOrStringArray':
        return g(fc.boolean) ? this.#schema(g, depth) : ['', g(text)]
    }
    return this.#message(g, type, depth)
  }

  #schema(g: GeneratorValue, depth: number): unknown {
    return this.#message(g, 'apiextensions/v1.JSONSchemaProps', depth)
  }
}

interface Place {
  field: FieldDescriptor
  packageName: string
  depth: number
}

function kept({ name, omit, type }: FieldDescriptor, value: unknown): [string, unknown][] {
  // Go omits no structs, and numbers and strings are not structs.
  const isEmpty = type !== 'IntOrString' && (value === '' || value === 0 || value === false)
  const isOmitted = (omit === 'empty' && isEmpty) || (omit === 'zero' && value === null)
  return isOmitted ? [] : [[name, value]]
}

function typeKey(type: string, packageName: string): string {
  return type in knownTypes || type.includes('.') ? type : `${packageName}.${type}`
}

const texts = fc
  .array(fc.constantFrom('', 'a', 'bc', '"', '\0', '\u007f', 'é', '\u07ff', '✓', '\ufffd', '🎈'))
  .map((parts) => parts.join(''))
const text = (): fc.Arbitrary<string> => texts
const rawJson = (): fc.Arbitrary<unknown> =>
  fc
    .dictionary(fc.stringMatching(/^[a-z:"{}é]+$/), fc.jsonValue({ depthSize: 'small' }), {
      maxKeys: 3,
    })
    .map((value) => decodeJson(Buffer.from(JSON.stringify(value))).value)
const date = (): fc.Arbitrary<string> =>
  fc
    .date({ min: new Date('0001-01-02'), max: new Date('9999-12-31'), noInvalidDate: true })
    .map((value) => value.toISOString().slice(0, 19))

const knownTypes: Readonly<Record<string, () => fc.Arbitrary<unknown>>> = {
  string: text,
  bool: fc.boolean,
  int32: () => fc.integer(),
  int64: () => fc.maxSafeInteger(),
  // Go writes no infinities, and writes minus zero as zero.
  double: () =>
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (value === 0 ? 0 : value)),
  bytes: () =>
    fc.uint8Array({ minLength: 1 }).map((bytes) => Buffer.from(bytes).toString('base64')),
  Time: () => date().map((value) => `${value}Z`),
  MicroTime: () =>
    fc.tuple(date(), fc.nat(999_999)).map(([value, micros]) => {
      return `${value}.${String(micros).padStart(6, '0')}Z`
    }),
  Quantity: () => fc.constantFrom('0', '1', '-250m', '128Mi', '1536Ki', '12e3', '0.5', '1Ei'),
  IntOrString: () => fc.oneof(fc.integer(), text()),
  RawExtension: rawJson,
  FieldsV1: rawJson,
  JSON: rawJson,
  StringList: () => fc.array(text(), { minLength: 1, maxLength: 3 }),
}
