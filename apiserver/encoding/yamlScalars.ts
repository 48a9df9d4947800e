import { exactInteger, isWhole } from '../meta/json/integers.ts'
import { badRequest } from '../meta/statusErrors.ts'

/** JSON values of YAML scalars. */
export type Scalar = string | number | bigint | boolean | null

const wordValues: readonly [boolean | number | null, string][] = [
  [true, 'y Y yes Yes YES true True TRUE on On ON'],
  [false, 'n N no No NO false False FALSE off Off OFF'],
  [null, ' ~ null Null NULL'],
  [NaN, '.nan .NaN .NAN'],
  [Infinity, '.inf .Inf .INF +.inf +.Inf +.INF'],
  [-Infinity, '-.inf -.Inf -.INF'],
]
const words: ReadonlyMap<string, Scalar> = new Map(
  wordValues.flatMap(([value, texts]) => texts.split(' ').map((text) => [text, value])),
)

const integer = /^([-+]?)(0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|0|[1-9][0-9]*)$/
const float = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/

/** Maximum length of a number: longer ones never fit into 64 bits in practice. */
const maxNumberLength = 400

/**
 * The value of an unquoted scalar: YAML 1.1 as the Go library reads it, so `yes`, `on` and `y` are true, `0o7` and `07`
 * are 7, `1_000` is a thousand, and dates and `1:30` are strings. Integers are exact, see `exactJson.ts`; beyond signed
 * 64 bits they are doubles. Source: sigs.k8s.io/yaml, resolve.
 */
export function resolvePlain(text: string): Scalar {
  const word = words.get(text)
  if (word !== undefined) return word
  if (!/^[-+.0-9]/.test(text) || text.length > maxNumberLength) return text
  // Underscores are ignored in all numbers that do not begin with a dot.
  const digits = text.startsWith('.') ? text : text.replaceAll('_', '')
  return parseInteger(digits) ?? parseFloating(digits) ?? text
}

function parseInteger(text: string): number | bigint | undefined {
  const [, sign, digits] = integer.exec(text) ?? []
  if (digits === undefined) return undefined
  const magnitude = BigInt(/^0[0-7]/.test(digits) ? `0o${digits}` : digits)
  const max = sign === '-' ? 2n ** 63n : sign === '+' ? 2n ** 63n - 1n : 2n ** 64n - 1n
  if (magnitude > max) return undefined
  const value = sign === '-' ? -magnitude : magnitude
  return BigInt.asIntN(64, value) === value ? exactInteger(value) : Number(value)
}

function parseFloating(text: string): number | undefined {
  const value = float.test(text) ? Number(text) : NaN
  return Number.isFinite(value) ? value : undefined
}

const tagPrefix = 'tag:yaml.org,2002:'

/**
 * The value of a scalar with an explicit tag. Tags of types that JSON lacks leave the string
 * unchanged.
 * @throws StatusError 400 if the string is not of the type.
 */
export function resolveTagged(tag: string, text: string): Scalar {
  const type = tag.startsWith(tagPrefix) ? tag.slice(tagPrefix.length) : ''
  if (type === 'binary') return Buffer.from(text, 'base64').toString()
  const types = jsonTypes[type]
  if (types === undefined) return text
  const value = resolvePlain(text)
  const found = typeOf(value)
  if (types.includes(found)) return value
  throw badRequest(`yaml: cannot decode !!${found} \`${text}\` as a !!${type}`)
}

const jsonTypes: Readonly<Partial<Record<string, readonly string[]>>> = {
  int: ['int'],
  float: ['float', 'int'],
  bool: ['bool'],
  null: ['null'],
}

function typeOf(value: Scalar): string {
  if (value === null) return 'null'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'string') return 'str'
  return isWhole(value) ? 'int' : 'float'
}
