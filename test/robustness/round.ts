import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { SeededRandom } from '../conformance/crash/seededRandom.ts'
import { checkHistory } from './checks/checkHistory.ts'
import { finalFaults } from './checks/finalFaults.ts'
import { injectFaults, mend, type Injected } from './faults/injectFaults.ts'
import { eventually } from './machine/eventually.ts'
import type { Target } from './targets/target.ts'
import { History, historyJson, type Label } from './traffic/history.ts'
import { readSnapshot } from './traffic/readSnapshot.ts'
import { TrafficClient } from './traffic/trafficClient.ts'
import { writeMarks } from './traffic/writeMarks.ts'
import { Watcher } from './traffic/watcher.ts'

export interface RoundOptions {
  target: Target
  seed: number
  number: number
  clients: number
  /** Duration of traffic and faults; a fault that lasts longer is awaited. */
  seconds: number
  faults: RegExp
  /** Folder for the history of a round with violations. */
  folder: string
}

export interface RoundResult {
  faults: string[]
  injected: Injected[]
  counts: Readonly<Record<string, number>>
}

const objectCount = 8
const pauseMs = 120
const recoveryMs = 90_000
const timeoutMs = 8_000
const labels: readonly (Label | undefined)[] = [undefined, undefined, 'even', 'odd']

/** Traffic and faults for some time, then a check of all requests and responses. */
export async function runRound(options: RoundOptions): Promise<RoundResult> {
  const { target, seed, number } = options
  const random = new SeededRandom(seed * 1_000 + number)
  const namespace = `robustness-${seed}-${number}`
  const path = `/api/v1/namespaces/${namespace}/configmaps`
  const history = new History()
  await createNamespace(target, namespace)
  const since = await settledRevision(target, path, history)

  const watching = new AbortController()
  const watchers = watchersOf(options, { path, random, history, since })
  const watches = Promise.all(watchers.map((watcher) => watcher.run(watching.signal)))
  const injected = await suffer(options, { path, random, history })
  await mend(target)
  await recovered(target, namespace)
  const { replicas } = target
  const marks = await writeMarks({ replicas, path, history, caller: options.clients })
  const { until } = marks
  const final = await finalFaults(target, path, history)
  await eventually('every watch has come to the end', recoveryMs, () =>
    Promise.resolve(watchers.every((watcher) => watcher.hasReached(marks))),
  ).catch((error: unknown) => history.unexpected.push(String(error)))
  watching.abort()
  await watches

  const { faults: found, ...counts } = checkHistory(history, { since, until })
  const faults = [...found, ...final]
  if (faults.length > 0)
    writeFileSync(join(options.folder, `round-${number}.json`), historyJson(history))
  return {
    faults,
    injected,
    counts: { ...countsOf(history), ...counts },
  }
}

interface Traffic {
  path: string
  random: SeededRandom
  history: History
}

/** Traffic during faults. */
async function suffer(
  { target, clients, seconds, faults }: RoundOptions,
  { path, random, history }: Traffic,
): Promise<Injected[]> {
  const { replicas } = target
  const names = Array.from({ length: objectCount }, (_, at) => `t-${at}`)
  const traffic = new AbortController()
  const running = Array.from({ length: clients }, (_, client) => {
    const own = new SeededRandom(random.between(0, 2 ** 31))
    const options = { number: client, replicas, path, names, random: own, history, pauseMs }
    return new TrafficClient(options).run(traffic.signal)
  })
  const injected: Injected[] = []
  const faulty = AbortSignal.timeout(Math.round(seconds * 1_000))
  const own = new SeededRandom(random.between(0, 2 ** 31))
  const report = (one: Injected) => injected.push(one)
  await Promise.all([
    injectFaults({ target, random: own, wanted: faults, report }, faulty),
    delay(seconds * 1_000),
  ])
  traffic.abort()
  await Promise.all(running)
  return injected
}

function watchersOf(
  { target }: RoundOptions,
  { path, random, history, since }: Traffic & { since: number },
): Watcher[] {
  const { replicas } = target
  return labels.flatMap((label, at) =>
    [3_000, 40_000].map((connectionMs) => {
      const own = new SeededRandom(random.between(0, 2 ** 31))
      const name = `${at}${label ?? ''} of ${connectionMs / 1000} s`
      const options = { name, replicas, path, since, connectionMs, random: own, history }
      return new Watcher(label === undefined ? options : { ...options, label })
    }),
  )
}

async function createNamespace({ replicas }: Target, name: string): Promise<void> {
  const asked = { method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name } } }
  await eventually(`namespace ${name} is created`, recoveryMs, async () => {
    const answer = await replicas[0]?.connection.request(asked, timeoutMs).catch(() => undefined)
    return answer?.status === 201 || answer?.status === 409
  })
}

/**
 * Waits until every replica is ready and accepts a write. A replica that ended is restarted, like
 * by a service manager: a server without a usable etcd at its start ends.
 */
async function recovered({ replicas }: Target, namespace: string): Promise<void> {
  for (const { connection, daemon } of replicas) {
    await eventually(`${daemon.name} is ready and takes a write`, recoveryMs, async () => {
      if (!daemon.isRunning) daemon.start()
      const readyz = { method: 'GET', path: '/readyz' }
      const ready = await connection.request(readyz, timeoutMs).catch(() => undefined)
      if (ready?.status !== 200) return false
      const body = { metadata: { generateName: 'probe-' } }
      const write = { method: 'POST', path: `/api/v1/namespaces/${namespace}/secrets`, body }
      const answer = await connection.request(write, timeoutMs).catch(() => undefined)
      return answer?.status === 201
    })
  }
}

/** Revision of a list through the first replica that responds. */
async function settledRevision(target: Target, path: string, history: History): Promise<number> {
  let revision = 0
  await eventually('a list is answered', recoveryMs, async () => {
    for (const { connection } of target.replicas) {
      const read = await readSnapshot(connection, path, { timeoutMs, history })
      revision = read?.revision ?? 0
      if (revision > 0) return true
    }
    return false
  })
  return revision
}

function countsOf({ operations, snapshots, spans, expired }: History): Record<string, number> {
  return {
    operations: operations.length,
    lists: snapshots.length,
    watches: spans.length,
    events: spans.reduce((sum, { events }) => sum + events.length, 0),
    expired,
  }
}
