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

/** Clock used in profiles. */
export function monotonicMicros(): number {
  return Number(process.hrtime.bigint() / 1000n)
}

/**
 * Fraction of the time of a process, from 0 to 1, spent in functions with these names and in their
 * callees. Time spent waiting or outside of JavaScript is excluded from both, so the fraction is
 * rather too high. The folder contains only the profile of this process.
 */
export function shareOf(folder: string, names: readonly string[], period: Period): number {
  const [file = ''] = readdirSync(folder).filter((name) => name.endsWith('.cpuprofile'))
  // Node writes this format.
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

/** Nodes of the functions, and all nodes below them. */
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
