import { exactInteger, isWhole } from '../meta/json/integers.ts'
import { badRequest } from '../meta/statusErrors.ts'

/** What a YAML scalar can stand for in JSON. */
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

/** Longer texts are no numbers: none that fits into 64 bits is written so long by anyone. */
const maxNumberLength = 400

/** What an unquoted scalar means: YAML 1.1 as the Go library reads it, so `yes`, `on` and `y` are true, `0o7` and `07`
 *  are 7, `1_000` is a thousand, and dates and `1:30` are strings. Integers are exact, as `exactJson.ts` has them; beyond 64
 *  bits with a sign they are doubles. Source: sigs.k8s.io/yaml, resolve. */
export function resolvePlain(text: string): Scalar {
  const word = words.get(text)
  if (word !== undefined) return word
  if (!/^[-+.0-9]/.test(text) || text.length > maxNumberLength) return text
  // Underscores count as nothing in all numbers that do not begin with a dot.
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

/** What a scalar with an explicit tag means. Tags that are not of the JSON types leave the text as it is.
 *  @throws StatusError 400 when the text is not of the type. */
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
