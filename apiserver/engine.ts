import { PerformanceObserver } from 'node:perf_hooks'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'

/** Sets up the JavaScript engine of a process that serves; to be called before anything is served.
 *
 *  After a burst of writes, which wait for the disk, the engine has learnt that what a request is made of lives long, and
 *  puts that of every later request where only a whole collection finds it: a third of the CPU of a read. */
export function setUpEngine(): void {
  setFlagsFromString('--no-allocation-site-pretenuring')
}

const enoughYoungBytes = 8 * 1024 * 1024

/** Keeps the young generation from growing beyond what requests need, once the server stands. A thousand watches that
 *  come would double it, which is never given back and makes requests little cheaper. */
export function holdYoungGeneration(): void {
  // It grows in collections alone.
  const observer = new PerformanceObserver(holdWhenGrown)
  observer.observe({ entryTypes: ['gc'] })

  function holdWhenGrown(): void {
    const young = getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')
    if ((young?.space_size ?? 0) < enoughYoungBytes) return
    setFlagsFromString('--semi-space-growth-factor=1')
    observer.disconnect()
  }
}
