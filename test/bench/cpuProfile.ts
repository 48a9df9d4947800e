import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Output of --cpu-prof. Times are microseconds of the machine's monotonic clock. */
interface CpuProfile {
  nodes: { id: number; callFrame: { functionName: string }; children?: number[] }[]
  startTime: number
  samples: number[]
  timeDeltas: number[]
}

export interface Period {
  fromMicros: number
  toMicros: number
}

/** The clock that profiles are written with. */
export function monotonicMicros(): number {
  return Number(process.hrtime.bigint() / 1000n)
}

/** The part of the time of a process, from 0 to 1, that passed in functions of these names and what they called. Time
 *  in which it waited, or was outside of JavaScript, counts for neither, so the part is rather too large. The folder has the one profile of the process. */
export function shareOf(folder: string, names: readonly string[], period: Period): number {
  const [file = ''] = readdirSync(folder).filter((name) => name.endsWith('.cpuprofile'))
  // Node writes it so.
  const profile = JSON.parse(readFileSync(join(folder, file), 'utf8')) as CpuProfile
  const isIdle = nodesBelow(profile, ['(idle)', '(program)'])
  const isWithin = nodesBelow(profile, names)
  let [busy, within, at] = [0, 0, profile.startTime]
  for (const [index, node] of profile.samples.entries()) {
    const delta = profile.timeDeltas[index] ?? 0
    at += delta
    if (at < period.fromMicros || at > period.toMicros || isIdle.has(node)) continue
    busy += delta
    if (isWithin.has(node)) within += delta
  }
  if (within === 0) throw new Error(`the profile has nothing of ${names.join(', ')}`)
  return within / busy
}

/** The nodes of the functions, and all below them. */
function nodesBelow({ nodes }: CpuProfile, names: readonly string[]): Set<number> {
  const children = new Map(nodes.map(({ id, children: below = [] }) => [id, below]))
  const found = new Set<number>()
  const open = nodes
    .filter(({ callFrame }) => names.includes(callFrame.functionName))
    .map(({ id }) => id)
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (found.has(id)) continue
    found.add(id)
    open.push(...(children.get(id) ?? []))
  }
  return found
}
