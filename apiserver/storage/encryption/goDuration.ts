const unitMs: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
}

/** Milliseconds of a duration such as `3s`, `1m30s` or `-1s`; undefined: malformed. Source: Go's time.ParseDuration. */
export function parseGoDuration(text: string): number | undefined {
  const [, sign, digits = ''] = /^([-+]?)(.*)$/s.exec(text) ?? []
  if (digits === '0') return 0
  if (!/^(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|ms|s|m|h))+$/.test(digits)) return undefined
  let sum = 0
  for (const [, number, unit = ''] of digits.matchAll(/([\d.]+)(ns|us|µs|ms|s|m|h)/g))
    sum += Number(number) * (unitMs[unit] ?? 0)
  return sign === '-' ? -sum : sum
}
