/**
 * Measures the storage alone, in a separate process: `storageProbe.ts MODE FOLDER CALLERS SECONDS`.
 * Values are those that a create of the benchmark stores. Prints the writes per second, or for
 * `scan` the milliseconds of reading everything.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ClassicLevel } from 'classic-level'
import { setUpEngine } from '../../apiserver/command/engine.ts'
import { realClock as clock } from '../../apiserver/runtime/realClock.ts'
import { LevelStorage } from '../../apiserver/storage/level/levelStorage.ts'

setUpEngine() // for the raw limits too

const [mode = '', folder = '', callersText = '1', secondsText = '1'] = process.argv.slice(2)
const callers = Number(callersText)
const seconds = Number(secondsText)
const encodings = { keyEncoding: 'utf8', valueEncoding: 'buffer' }

type Write = (key: string) => Promise<unknown>

/** All callers write, each its next key when the previous one is durable. */
async function rate(write: Write): Promise<number> {
  let done = 0
  let number = 0
  const warmUntil = performance.now() + 300
  const end = warmUntil + seconds * 1000
  const caller = async () => {
    while (performance.now() < end) {
      await write(`/management/sharedsecrets/default/bench-${String(number++).padStart(10, '0')}`)
      const time = performance.now()
      if (time >= warmUntil && time < end) done++
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
  return done / seconds
}

async function openBare(): Promise<ClassicLevel<string, Buffer>> {
  const level = new ClassicLevel<string, Buffer>(join(folder, 'db'), {
    ...encodings,
    compression: false,
  })
  await level.open()
  return level
}

const value = (): Buffer => readFileSync(join(folder, 'object'))

async function barePut(): Promise<number> {
  const level = await openBare()
  const bytes = value()
  const result = await rate((key) => level.put(key, bytes, { sync: true }))
  await level.close()
  return result
}

/**
 * Group commit alone: pending writes are committed in one synced batch, while more are collected.
 * `records`: number of keys of a write; the second is a short one, as in history.
 */
async function bareGroupCommit(records: 1 | 2): Promise<number> {
  const level = await openBare()
  const bytes = value()
  const history = Buffer.alloc(80)
  let queue: { key: string; resolve: () => void }[] = []
  let isDraining = false
  const drain = async () => {
    isDraining = true
    while (queue.length > 0) {
      await new Promise((resolve) => setImmediate(resolve))
      const batch = queue
      queue = []
      const chain = level.batch()
      for (const { key } of batch) {
        chain.put(key, bytes)
        if (records === 2) chain.put(`h${key}`, history)
      }
      await chain.write({ sync: true })
      for (const { resolve } of batch) resolve()
    }
    isDraining = false
  }
  const result = await rate(
    (key) =>
      new Promise<void>((resolve) => {
        queue.push({ key, resolve })
        if (!isDraining) void drain()
      }),
  )
  await level.close()
  return result
}

async function ours(): Promise<number> {
  const storage = await LevelStorage.open({ location: folder, clock })
  const text = value().toString()
  const hole = text.indexOf('"resourceVersion":"') + '"resourceVersion":"'.length
  const template = { before: text.slice(0, hole), after: text.slice(text.indexOf('"', hole)) }
  const result = await rate((key) => storage.create(key, template))
  await storage.close()
  return result
}

/** Reads everything in the database once, without inspecting it. */
async function scan(): Promise<number> {
  const began = performance.now()
  const level = await openBare()
  const iterator = level.iterator({ highWaterMarkBytes: 1024 * 1024 })
  while ((await iterator.nextv(1000)).length > 0) continue
  const took = performance.now() - began
  await iterator.close()
  await level.close()
  return took
}

const modes: Readonly<Record<string, () => Promise<number>>> = {
  put: barePut,
  'group-1': () => bareGroupCommit(1),
  'group-2': () => bareGroupCommit(2),
  ours,
  scan,
}
const probe = modes[mode]
if (probe === undefined) throw new Error(`no storage probe ${mode}`)
process.stdout.write(`${await probe()}\n`)
