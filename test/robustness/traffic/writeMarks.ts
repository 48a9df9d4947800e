import { eventually } from '../machine/eventually.ts'
import type { Replica } from '../targets/target.ts'
import { objectOf } from './apiObjects.ts'
import { labelOf, type History, type Label } from './history.ts'
import { outcomeOf } from './outcomeOf.ts'

export interface Marks {
  /** Revision of the last change. */
  until: number
  /** Revision of the last change of objects with each label. */
  labels: Readonly<Record<Label, number>>
}

export interface MarkOptions {
  replicas: readonly Replica[]
  path: string
  history: History
  /** Number of a caller that no client has. */
  caller: number
}

const timeoutMs = 8_000
const longestMs = 90_000

/**
 * Writes two objects, one with a label, so that every watch reaches a known end: bookmarks are
 * rare.
 */
export async function writeMarks(options: MarkOptions): Promise<Marks> {
  const labels = { even: 0, odd: 0 }
  let count = 0
  for (const label of ['even', 'odd'] as const) {
    await eventually('a mark is written', longestMs, async () => {
      do count++
      while (labelOf(`${options.caller}-${count}`) !== label)
      labels[label] = await writeMark(options, count)
      return labels[label] > 0
    })
  }
  return { until: Math.max(labels.even, labels.odd), labels }
}

/** Revision; 0: it is unknown whether it was written. */
async function writeMark(
  { replicas, path, history, caller }: MarkOptions,
  count: number,
): Promise<number> {
  const name = `t-end-${count}`
  const wrote = `${caller}-${count}`
  const call = performance.now()
  const asked = { method: 'POST', path, body: objectOf(name, wrote) }
  const connection = replicas[count % replicas.length]?.connection
  const answer = await connection?.request(asked, timeoutMs).catch(() => undefined)
  const outcome =
    answer === undefined
      ? { kind: 'unknown' as const }
      : outcomeOf(answer, (text) => history.unexpected.push(`POST ${path}: ${text}`))
  const end = outcome.kind === 'unknown' ? Infinity : performance.now()
  history.operations.push({ caller, name, action: 'create', wrote, call, end, outcome })
  return outcome.kind === 'done' ? (outcome.revision ?? 0) : 0
}
