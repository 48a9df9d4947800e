import { setTimeout as delay } from 'node:timers/promises'
import { SeededRandom } from '../../conformance/crash/seededRandom.ts'
import type { Target } from '../targets/target.ts'
import { disarm, etcdFaults } from './etcdFaults.ts'
import type { Fault, FaultContext } from './fault.ts'
import { networkFaults } from './networkFaults.ts'
import { pick } from './pick.ts'
import { processFaults } from './processFaults.ts'

const allFaults: readonly Fault[] = [...processFaults, ...networkFaults, ...etcdFaults]

export interface InjectOptions {
  target: Target
  random: SeededRandom
  /** Pattern for names of faults. */
  wanted: RegExp
  /** Called for each fault when it is repaired. */
  report: (injected: Injected) => void
}

export interface Injected {
  fault: string
  text: string
  seconds: number
}

/** Fraction of faults injected while another one lasts. */
const togetherShare = 0.25

/**
 * Injects one fault after another, sometimes two at once, until `signal` aborts; then all are
 * repaired.
 */
export async function injectFaults(options: InjectOptions, signal: AbortSignal): Promise<void> {
  const { target, random, wanted } = options
  const possible = allFaults.filter((one) => wanted.test(one.name) && one.isPossible(target))
  if (possible.length === 0) return
  while (!signal.aborted) {
    await delay(random.between(500, 3_000))
    const count = random.fraction() < togetherShare ? 2 : 1
    const chosen = Array.from({ length: count }, () => pick(possible, random))
    await Promise.all(chosen.map((fault) => injectOne(fault, options)))
  }
}

async function injectOne(fault: Fault, { target, random, report }: InjectOptions): Promise<void> {
  const began = performance.now()
  const own = new SeededRandom(random.between(0, 2 ** 31))
  const last: FaultContext['last'] = (least, most) => delay(own.between(least, most))
  const text = await fault.inject({ target, random: own, last })
  report({ fault: fault.name, text, seconds: (performance.now() - began) / 1000 })
}

/** Repairs everything that faults have left behind. */
export async function mend(target: Target): Promise<void> {
  for (const { links, daemon, setClock } of target.replicas) {
    for (const link of links) if (link.state !== 'open') link.set('open')
    daemon.resume()
    if (!daemon.isRunning) daemon.start()
    setClock?.(0)
  }
  if (target.etcd === undefined) return
  target.etcd.isolate(undefined)
  for (const { daemon } of target.etcd.members) {
    daemon.resume()
    if (!daemon.isRunning) daemon.start()
  }
  await target.etcd.ready()
  await disarm(target)
}
