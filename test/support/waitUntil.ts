import { setTimeout } from 'node:timers/promises'
import { deadline } from './deadlines.ts'

const longestMs = 8_000

/** Waits until `isSo` is true, in real time: for the effect of another process or a socket. */
export async function waitUntil(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + deadline(longestMs)
  do {
    await setTimeout(10)
    if (await isSo()) return
  } while (Date.now() < end)
  throw new Error(`it did not come about in ${deadline(longestMs)} ms`)
}
