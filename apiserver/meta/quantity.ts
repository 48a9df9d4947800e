import { trimEnd } from './trim.ts'

interface Decimal {
  digits: bigint
  exponent: number
}

/**
 * Number with a suffix, such as `500m`, `1Gi`, `2e3`. The value is `digits` × 10^`exponent`.
 * Source: apimachinery, pkg/api/resource.
 */
export interface Quantity extends Decimal {
  form: 'decimal' | 'exponent' | 'binary'
}

// The suffix starts with a letter or a sign, so that a mismatch is found in linear time.
const shape = /^([+-]?[0-9.]+)((?:[eEinumkKMGTP]+[-+]?[0-9]*|[-+][0-9]*)?)$/
const number = /^([+-]?)(\d*)(?:\.(\d*))?$/

export const quantityShapeText =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"

const decimalSuffixes = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E']
const binarySuffixes = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei']
const largest = 2n ** 63n - 1n

/** Parses a quantity; undefined: invalid. Fractions smaller than a billionth are rounded away from zero. */
export function parseQuantity(text: string): Quantity | undefined {
  const parts = partsOf(text)
  if (parts === undefined) return undefined
  const { sign, whole, fraction, scale } = parts
  const digits = BigInt(`${whole}${fraction}`) * scale.factor
  const exponent = scale.exponent - fraction.length
  const bounded = withinBounds({ digits, exponent }, scale.form)
  return { ...bounded, digits: sign === '-' ? -bounded.digits : bounded.digits, form: scale.form }
}

interface Parts {
  sign: string
  whole: string
  fraction: string
  suffix: string
  scale: Scale
}

function partsOf(text: string): Parts | undefined {
  const [, quantity = '', suffix = ''] = shape.exec(text) ?? []
  const [, sign = '', whole = '', fraction = ''] = number.exec(quantity) ?? []
  const scale = scaleOf(suffix)
  if (scale === undefined || (whole === '' && fraction === '')) return undefined
  return { sign, whole, fraction, suffix, scale }
}

interface Scale {
  factor: bigint
  exponent: number
  form: Quantity['form']
}

function scaleOf(suffix: string): Scale | undefined {
  const decimal = decimalSuffixes.indexOf(suffix)
  if (decimal >= 0) return { factor: 1n, exponent: (decimal - 3) * 3, form: 'decimal' }
  const binary = binarySuffixes.indexOf(suffix)
  if (binary >= 0) return { factor: 1024n ** BigInt(binary), exponent: 0, form: 'binary' }
  const [, exponent] = /^[eE]([-+]?\d{1,3})$/.exec(suffix) ?? []
  return exponent === undefined
    ? undefined
    : { factor: 1n, exponent: Number(exponent), form: 'exponent' }
}

/** Limits a quantity to its bounds; only quantities with binary suffixes have an upper bound. */
function withinBounds({ digits, exponent }: Decimal, form: Quantity['form']): Decimal {
  const quantity = roundedUp({ digits, exponent }, -9)
  if (form !== 'binary') return quantity
  const isHuge = quantity.digits > largest * 10n ** BigInt(-quantity.exponent)
  return isHuge ? { digits: largest, exponent: 0 } : quantity
}

/** Quantity without parts smaller than 10^`exponent`, rounded away from zero. */
function roundedUp(quantity: Decimal, exponent: number): Decimal {
  if (quantity.exponent >= exponent) return quantity
  const cut = 10n ** BigInt(exponent - quantity.exponent)
  const rest = quantity.digits % cut
  const away = rest === 0n ? 0n : rest < 0n ? -1n : 1n
  return { digits: quantity.digits / cut + away, exponent }
}

/** Comparison: below 0, 0 or above 0 if `a` is less than, equal to or greater than `b`. */
export function compareQuantities(a: Quantity, b: Quantity): number {
  const difference = nanos(a) - nanos(b)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

/** Value in billionths. */
export function nanos({ digits, exponent }: Pick<Quantity, 'digits' | 'exponent'>): bigint {
  return digits * 10n ** BigInt(exponent + 9)
}

/** Sum, in the format of the first operand unless that is zero. */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  const exponent = Math.min(a.exponent, b.exponent)
  const digits = [a, b].map((one) => one.digits * 10n ** BigInt(one.exponent - exponent))
  const form = a.digits === 0n ? b.form : a.form
  return { digits: digits.reduce((sum, one) => sum + one), exponent, form }
}

/** Most common spellings of quantities, which are canonical: no leading or trailing zeros. */
const plain = /^[1-9]\d{0,14}(?:m|k|M|G|T|P|E)?$/
const plainBinary = /^[1-9]\d{0,2}(?:Ki|Mi|Gi)$/

/**
 * Stored form of a quantity; undefined: invalid. A string that is close enough to the canonical form is kept as sent,
 * such as `+1` and `1.500`. `roundsToMilli`: parts smaller than a thousandth are rounded up.
 * Source: apimachinery, pkg/api/resource; seen on kube-apiserver 1.37.2.
 */
export function quantityText(text: string, roundsToMilli = false): string | undefined {
  if (isPlain(text)) return text
  const parts = partsOf(text)
  const quantity = parseQuantity(text)
  if (parts === undefined || quantity === undefined) return undefined
  const smallest = roundsToMilli ? -3 : -9
  if (isKept(parts, smallest)) return text
  return formatQuantity({ ...quantity, ...roundedUp(quantity, smallest) })
}

function isPlain(text: string): boolean {
  if (plain.test(text)) return !text.includes('000')
  return plainBinary.test(text) && !isEighth(text)
}

function isEighth(text: string): boolean {
  return Number.parseInt(text, 10) % 8 === 0
}

/** Number of digits that fit in 64 bits with any suffix, and the number of digits of each binary suffix. */
const fittingDigits = 18
const binaryDigits = [0, 3, 6, 9, 12, 15, 18]

/** Reports whether a string is stored as sent, by the positions of its digits. */
function isKept({ whole, fraction, suffix, scale }: Parts, smallest: number): boolean {
  const leading = whole.replace(/^0+/, '') || '0'
  if (scale.form !== 'binary') {
    const exponent = scale.exponent - fraction.length
    return exponent >= smallest && isKeptDecimal(leading + fraction, exponent)
  }
  const left = 14 - leading.length - (binaryDigits[binarySuffixes.indexOf(suffix)] ?? 0)
  return left >= 0 && fraction === '' && !isEighth(leading)
}

function isKeptDecimal(digits: string, exponent: number): boolean {
  if (digits.length > fittingDigits || exponent % 3 !== 0) return false
  return !digits.endsWith('000') && !digits.startsWith('0')
}

/** Canonical form of a quantity: no fraction, no more digits than needed, the largest suffix that fits. */
export function formatQuantity(quantity: Quantity): string {
  const { digits, exponent, form } = quantity
  if (digits === 0n) return '0'
  const unit = 10n ** 9n
  const value = nanos(quantity)
  const isSmall = value > -1024n * unit && value < 1024n * unit
  if (form === 'binary' && !isSmall && value % unit === 0n) return binaryText(value / unit)
  return decimalText(digits, exponent, form)
}

function binaryText(value: bigint): string {
  let [rest, power] = [value, 0]
  while (rest % 1024n === 0n && power < binarySuffixes.length - 1) {
    rest /= 1024n
    power++
  }
  return `${rest}${binarySuffixes[power] ?? ''}`
}

function decimalText(digits: bigint, exponent: number, form: Quantity['form']): string {
  // Digits are counted in the string: a division for each zero takes seconds for long numbers.
  const text = String(digits)
  const significant = trimEnd(text, (digit) => digit === '0')
  let [rest, power] = [BigInt(significant), exponent + text.length - significant.length]
  const extra = ((power % 3) + 3) % 3
  rest *= 10n ** BigInt(extra)
  power -= extra
  const suffix = form === 'exponent' ? undefined : decimalSuffixes[power / 3 + 3]
  if (suffix !== undefined) return `${rest}${suffix}`
  return power === 0 ? String(rest) : `${rest}e${power}`
}
