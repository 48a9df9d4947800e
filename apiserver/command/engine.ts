import { PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** Sets up the JavaScript engine of a process that serves; to be called before anything is served.
 *
 *  After a burst of writes, which wait for the disk, the engine has learnt that what a request is made of lives long, and
 *  puts that of every later request where only a whole collection finds it: a third of the CPU of a read. */
export function setUpEngine(): void {
  setFlagsFromString('--no-allocation-site-pretenuring')
}

/** Of both halves of the young generation: enough for what comes now and then. */
const restBytes = 8 * 1024 * 1024
/** So many collections within this time, and a larger young generation is worth its memory. */
const busy = { collections: 16, ms: 500 }

/** Lets the young generation grow beyond what the odd request needs only while it is collected often. By itself the engine
 *  doubles it for a thousand watches that come, and gives nothing back while they are there. When the process has been
 *  idle the engine makes it small, and it may grow anew. */
export function holdYoungGeneration(): void {
  let bytes = 0
  let isHeld = false
  let began = performance.now()
  let collections = 0
  const observer = new PerformanceObserver((list) => {
    const previous = bytes
    bytes = youngBytes()
    collections += list.getEntries().length
    if (bytes === previous && collections < busy.collections) return
    const now = performance.now()
    const isBusy = bytes === previous && now - began < busy.ms
    began = now
    collections = 0
    hold(bytes >= restBytes && !isBusy)
  })
  observer.observe({ entryTypes: ['gc'] })

  function hold(hold: boolean): void {
    if (hold !== isHeld) setFlagsFromString(`--semi-space-growth-factor=${hold ? 1 : 2}`)
    isHeld = hold
  }
}

function youngBytes(): number {
  const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')
  return young?.space_size ?? 0
}
