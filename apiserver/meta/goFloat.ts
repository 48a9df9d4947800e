/**
 * Formats a double like Go's `%v`: the shortest digits that identify it, with an exponent for
 * values of at least a million or below 0.0001.
 */
export function goFloat(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf'
  if (value === 0) return Object.is(value, -0) ? '-0' : '0'
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e')
  const power = Number(exponent)
  if (power >= -4 && power < 6) return String(value)
  const sign = power < 0 ? '-' : '+'
  return `${mantissa}e${sign}${String(Math.abs(power)).padStart(2, '0')}`
}
