import { addToGroup } from '../../../meta/collections/groupBy.ts'

export interface PemBlock {
  type: string
  hasHeaders: boolean
  der: Buffer
}

const boundary = /(?<![^\n])-----(BEGIN|END) (.*?)-----[ \t]*(?=\r?\n|$)/g

/** The PEM blocks in a string, in order; anything between them is skipped. Source: RFC 7468. */
export function pemBlocks(text: string): PemBlock[] {
  // Only boundaries are looked at: a megabyte may be half a million lines.
  const marks = [...text.matchAll(boundary)].map(markOf)
  const ends = endsOf(marks)
  const blocks: PemBlock[] = []
  for (let at = 0; at < marks.length; at++) {
    const mark = marks[at]
    if (mark?.what !== 'BEGIN') continue
    const end = nextEnd(ends.get(mark.type) ?? [], at)
    const last = end === undefined ? undefined : marks[end]
    if (end === undefined || last === undefined) continue
    const block = blockOf(mark.type, text.slice(mark.end, last.start).split(/\r?\n/))
    if (block !== undefined) blocks.push(block)
    at = end
  }
  return blocks
}

/** Line that begins or ends a block. */
interface Mark {
  what: string
  type: string
  /** Position of the line. */
  start: number
  /** Position after the line. */
  end: number
}

function markOf({ 0: line, 1: what = '', 2: type = '', index: start }: RegExpExecArray): Mark {
  return { what, type, start, end: start + line.length }
}

/** Marks that end a block, by block type, the last one first. */
function endsOf(marks: readonly Mark[]): Map<string, number[]> {
  const ends = new Map<string, number[]>()
  for (let at = marks.length - 1; at >= 0; at--) {
    const mark = marks[at]
    if (mark?.what === 'END') addToGroup(ends, mark.type, at)
  }
  return ends
}

/** First of these marks after `at`; earlier marks are removed from `ends`. */
function nextEnd(ends: number[], at: number): number | undefined {
  while ((ends.at(-1) ?? Infinity) < at) ends.pop()
  return ends.at(-1)
}

function blockOf(type: string, lines: readonly string[]): PemBlock | undefined {
  const hasHeaders = lines.some((line) => line.includes(':'))
  const text = lines.filter((line) => !line.includes(':')).join('')
  const base64 = text.replace(/\s+/g, '')
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(base64)) return undefined
  return { type, hasHeaders, der: Buffer.from(base64, 'base64') }
}
