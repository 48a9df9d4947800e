import { goQuote } from '../../meta/goQuote.ts'

/** Step of parsing a time: the piece of the layout, the matching text, and the bounds of its number. */
interface Piece {
  layout: string
  pattern: RegExp
  range?: { name: string; least: number; most: number }
}

const date: readonly Piece[] = [
  { layout: '2006', pattern: /^\d{4}/ },
  { layout: '-', pattern: /^-/ },
  { layout: '01', pattern: /^\d\d/, range: { name: 'month', least: 1, most: 12 } },
  { layout: '-', pattern: /^-/ },
  { layout: '02', pattern: /^\d\d/ },
  { layout: 'T', pattern: /^T/ },
  { layout: '15', pattern: /^\d\d?/, range: { name: 'hour', least: 0, most: 23 } },
  { layout: ':', pattern: /^:/ },
  { layout: '04', pattern: /^\d\d/, range: { name: 'minute', least: 0, most: 59 } },
  { layout: ':', pattern: /^:/ },
]
const second = { name: 'second', least: 0, most: 59 }
const zone: Piece = { layout: 'Z07:00', pattern: /^(Z|[+-]\d\d:\d\d)/ }
const pieces = {
  // A fraction is accepted after seconds anywhere.
  time: [...date, { layout: '05', pattern: /^\d\d([.,]\d+)?/, range: second }, zone],
  microTime: [
    ...date,
    { layout: '05', pattern: /^\d\d/, range: second },
    { layout: '.000000', pattern: /^[.,]\d{6}/ },
    zone,
  ],
} satisfies Record<string, readonly Piece[]>

/**
 * Reason why Go cannot parse `text` as a time in RFC 3339, with six fractional digits for a `microTime`; undefined:
 * valid. Source: Go, time.Parse; seen on kube-apiserver 1.37.2.
 */
export function goTimeError(text: string, form: 'time' | 'microTime'): string | undefined {
  const numbers: number[] = []
  let rest = text
  for (const piece of pieces[form]) {
    const [taken] = piece.pattern.exec(rest) ?? []
    if (taken === undefined) return unparsed(text, { rest, piece, form })
    const value = Number.parseInt(taken, 10)
    if (isOutside(value, piece)) return outOfRange(text, piece.range?.name ?? '')
    if (!Number.isNaN(value)) numbers.push(value)
    rest = rest.slice(taken.length)
  }
  if (rest !== '') return `parsing time ${goQuote(text)}: extra text: ${goQuote(rest)}`
  return isDay(numbers) ? undefined : outOfRange(text, 'day')
}

/** Reports whether the calendar has a year, month and day; further numbers are ignored. */
function isDay([year = 0, month = 0, day = 0]: readonly number[]): boolean {
  return day >= 1 && day <= daysIn(year, month)
}

function unparsed(
  text: string,
  { rest, piece, form }: { rest: string; piece: Piece; form: keyof typeof pieces },
): string {
  const layout = pieces[form].map((one) => one.layout).join('')
  const where = `parsing time ${goQuote(text)} as ${goQuote(layout)}`
  return `${where}: cannot parse ${goQuote(rest)} as ${goQuote(piece.layout)}`
}

function isOutside(value: number, { range }: Piece): boolean {
  return range !== undefined && (value < range.least || value > range.most)
}

function outOfRange(text: string, name: string): string {
  return `parsing time ${goQuote(text)}: ${name} out of range`
}

function daysIn(year: number, month: number): number {
  const date = new Date(0)
  // The last day of a month is the day before the first of the next one; setUTCFullYear also accepts years below 100.
  date.setUTCFullYear(year, month, 0)
  return date.getUTCDate()
}
