/**
 * Measures control planes alone, in a separate process: `planeProbe.ts FOLDER COUNT`. Prints their
 * cost as JSON.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { realClock as clock } from '../../apiserver/runtime/realClock.ts'
import { realRandom as random } from '../../apiserver/runtime/realRandom.ts'
import { LevelStorage } from '../../apiserver/storage/level/levelStorage.ts'
import { openPlanes, type OpenPlanes } from '../support/planes.ts'
import type { PlaneCosts } from './planeCosts.ts'

const [location = '', countText = '2000'] = process.argv.slice(2)
const count = Number(countText)

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

/** After several garbage collections, since one may allow the next to free more. */
async function usedBytes(): Promise<number> {
  for (let round = 0; round < 4; round++) {
    collect()
    await pause(50)
  }
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** Milliseconds of each plane's first opening, with its first objects durable. */
async function openAll(open: OpenPlanes, names: readonly string[]): Promise<number[]> {
  const times: number[] = []
  for (const name of names) {
    const began = performance.now()
    await open.planeEntry(name).opened()
    times.push(performance.now() - began)
  }
  return times.sort((a, b) => a - b)
}

async function allIdle(open: OpenPlanes): Promise<void> {
  while (open.planes.openCount > 0) await pause(200)
}

const storage = await LevelStorage.open({ location, clock })
const open = await openPlanes({ storage, clock, random, limits: { idleMs: 1_000, maxOpen: 64 } })
const warm = Array.from({ length: 50 }, (_, at) => `warm-${at}`)
for (const name of warm) await open.makeCluster(name)
await openAll(open, warm)
await allIdle(open)
const atFirst = await usedBytes()
const names = Array.from({ length: count }, (_, at) => `cluster-${at}`)
for (const name of names) await open.makeCluster(name)
const made = await usedBytes()
const times = await openAll(open, names)
await allIdle(open)
const idle = await usedBytes()
const again = await openAll(open, names.slice(0, 200))
await allIdle(open)
await Promise.all(names.map((name) => open.deleteCluster(name)))
await open.planes.removed()
await storage.compact(storage.revision)
const left = await usedBytes()
const costs: PlaneCosts = {
  createMs: times[Math.floor(count / 2)] ?? 0,
  createP99Ms: times[Math.floor(count * 0.99)] ?? 0,
  reopenMs: again[100] ?? 0,
  unusedBytes: (made - atFirst) / count,
  idleBytes: (idle - atFirst) / count,
  leftBytes: (left - atFirst) / count,
}
process.stdout.write(`${JSON.stringify(costs)}\n`)
open.close()
await storage.close()
