/** An amount with a suffix, as resources are counted in: `500m`, `1Gi`, `2e3`. Its value is `digits` × 10^`exponent`.
 *  Source: apimachinery, pkg/api/resource. */
export interface Quantity {
  digits: bigint
  exponent: number
  form: 'decimal' | 'exponent' | 'binary'
}

const shape = /^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$/
const number = /^([+-]?)(\d*)(?:\.(\d*))?$/

export const quantityShapeText =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"

const decimalSuffixes = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E']
const binarySuffixes = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei']
const largest = 2n ** 63n - 1n

/** undefined for what is no quantity. Smaller parts than a billionth are rounded away from zero. */
export function parseQuantity(text: string): Quantity | undefined {
  const [, amount = '', suffix = ''] = shape.exec(text) ?? []
  const [, sign, whole = '', fraction = ''] = number.exec(amount) ?? []
  if (whole === '' && fraction === '') return undefined
  const scale = scaleOf(suffix)
  if (scale === undefined) return undefined
  const { factor, exponent, form } = scale
  const digits = BigInt(`${whole}${fraction}`) * factor
  const bounded = withinBounds(digits, exponent - fraction.length)
  return { ...bounded, digits: sign === '-' ? -bounded.digits : bounded.digits, form }
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

function withinBounds(digits: bigint, exponent: number): Pick<Quantity, 'digits' | 'exponent'> {
  if (exponent < -9) {
    const cut = 10n ** BigInt(-9 - exponent)
    return { digits: (digits + cut - 1n) / cut, exponent: -9 }
  }
  const isHuge = exponent >= 0 && digits * 10n ** BigInt(exponent) > largest
  return isHuge ? { digits: largest, exponent: 0 } : { digits, exponent }
}

/** Below 0, 0 or above 0, as `a` is less than, equal to or more than `b`. */
export function compareQuantities(a: Quantity, b: Quantity): number {
  const difference = nanos(a) - nanos(b)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

function nanos({ digits, exponent }: Quantity): bigint {
  return digits * 10n ** BigInt(exponent + 9)
}

/** The one text of an amount: no fraction, no more digits than needed, the largest suffix that fits. */
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
  let [rest, power] = [digits, exponent]
  while (rest % 10n === 0n) {
    rest /= 10n
    power++
  }
  const extra = ((power % 3) + 3) % 3
  rest *= 10n ** BigInt(extra)
  power -= extra
  const suffix = form === 'exponent' ? undefined : decimalSuffixes[power / 3 + 3]
  if (suffix !== undefined) return `${rest}${suffix}`
  return power === 0 ? String(rest) : `${rest}e${power}`
}
