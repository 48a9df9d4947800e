const units: Readonly<Record<string, number>> = {
  '': 1,
  s: 1,
  m: 60,
  h: 3_600,
  d: 86_400,
  w: 604_800,
}

/** Seconds of a duration such as 90, 90s, 15m, 12h, 30d or 1h30m; undefined: it is malformed. */
export function secondsIn(text: string): number | undefined {
  const parts = [...text.matchAll(/(\d+)([smhdw]?)/g)]
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text) return undefined
  const total = parts.reduce(
    (sum, [, count = '0', unit = '']) => sum + Number(count) * (units[unit] ?? 1),
    0,
  )
  return Number.isSafeInteger(total) ? total : undefined
}

/** Ends the sentence "Give …". */
export const durationExamples = 'seconds or units, such as 45s, 15m, 12h, 30d or 1h30m'
