import type { Normal } from './normalise.ts'

/** Difference between the two responses. */
export interface Difference {
  /** Step of the case. */
  step: number
  /** Location, such as `status`, `headers.vary` or `body.items[0].metadata.name`. */
  at: string
  ours: unknown
  peer: unknown
  /** Short forms of the two responses. */
  answers: { ours: string; peer: string }
}

export function differences(ours: readonly Normal[], peer: readonly Normal[]): Difference[] {
  return ours.flatMap((answer, step) => {
    const found: Difference[] = []
    const other = peer[step]
    const answers = { ours: summary(answer), peer: summary(other) }
    if (answer.status !== other?.status) return [{ step, at: 'status', answers, ...answers }]
    walk(answer, other, { at: '', step, answers, found })
    return found
  })
}

/** Message of a failure, or the beginning of any other response. */
function summary(answer: Normal | undefined): string {
  // The response may be anything; missing members are omitted.
  const { reason, message } = (answer?.body ?? {}) as { reason?: string; message?: string }
  const words =
    message === undefined ? [JSON.stringify(answer?.body)?.slice(0, 300)] : [reason, message]
  return [answer?.status, ...words].join(' ')
}

interface Walk {
  at: string
  step: number
  answers: Difference['answers']
  found: Difference[]
}

function walk(ours: unknown, peer: unknown, { at, step, answers, found }: Walk): void {
  if (Object.is(ours, peer)) return
  if (!isTree(ours) || !isTree(peer) || Array.isArray(ours) !== Array.isArray(peer)) {
    found.push({ step, at, ours, peer, answers })
    return
  }
  for (const name of new Set([...Object.keys(ours), ...Object.keys(peer)])) {
    const inner = Array.isArray(ours) ? `${at}[${name}]` : at === '' ? name : `${at}.${name}`
    walk(ours[name], peer[name], { at: inner, step, answers, found })
  }
}

/** Reports whether a value has members; arrays do, too: their keys are indexes. */
function isTree(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
