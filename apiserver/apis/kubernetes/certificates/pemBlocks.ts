import { addToGroup } from '../../../meta/collections/groupBy.ts'

export interface PemBlock {
  type: string
  hasHeaders: boolean
  der: Buffer
}

const boundary = /^-----(BEGIN|END) (.*?)-----[ \t]*$/

/** The PEM blocks in a string, in order; anything between them is skipped. Source: RFC 7468. */
export function pemBlocks(text: string): PemBlock[] {
  const lines = text.split(/\r?\n/)
  const marks = lines.map(markOf)
  const ends = endsOf(marks)
  const blocks: PemBlock[] = []
  for (let at = 0; at < lines.length; at++) {
    const mark = marks[at]
    if (mark?.what !== 'BEGIN') continue
    const end = nextEnd(ends.get(mark.type) ?? [], at)
    if (end === undefined) continue
    const block = blockOf(mark.type, lines.slice(at + 1, end))
    if (block !== undefined) blocks.push(block)
    at = end
  }
  return blocks
}

interface Mark {
  what: string
  type: string
}

function markOf(line: string): Mark | undefined {
  const [, what, type = ''] = boundary.exec(line) ?? []
  return what === undefined ? undefined : { what, type }
}

/** Lines that end a block, by block type, last line first. */
function endsOf(marks: readonly (Mark | undefined)[]): Map<string, number[]> {
  const ends = new Map<string, number[]>()
  for (let at = marks.length - 1; at >= 0; at--) {
    const mark = marks[at]
    if (mark?.what === 'END') addToGroup(ends, mark.type, at)
  }
  return ends
}

/** First of these lines after `at`; earlier lines are removed from `ends`. */
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
