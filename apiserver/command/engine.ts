import { PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/**
 * Configures the JavaScript engine of a serving process; must be called before any request is
 * served, but after the modules of the server are loaded: with other flags, the engine rejects both
 * the code cache of the build and that of the runtime's own modules. After a burst of writes, which wait for the disk, the engine would assume that the
 * objects of a request are long-lived and allocate those of all later requests in the old
 * generation, which costs a third of the CPU time of a read.
 */
export function setUpEngine(): void {
  setFlagsFromString('--no-allocation-site-pretenuring')
}

/**
 * Size in bytes of both halves of the young generation at rest, which suffices for occasional
 * requests.
 */
const restBytes = 8 * 1024 * 1024
/**
 * Number of collections within a time, in milliseconds, that justifies a larger young generation.
 */
const busy = { collections: 16, ms: 500 }

/**
 * Lets the young generation grow beyond the needs of occasional requests only while it is collected
 * often. By default, the engine doubles it for a thousand new watches, and does not shrink it while
 * they exist. The engine shrinks it when the process is idle; it may then grow again.
 */
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
