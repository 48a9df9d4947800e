import { setTimeout } from 'node:timers/promises'
import { deadline } from './deadlines.ts'

const longestMs = 8_000

/** Waits until `isSo` holds, in real time: for what another process or a socket does. */
export async function waitUntil(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + deadline(longestMs)
  do {
    await setTimeout(10)
    if (await isSo()) return
  } while (Date.now() < end)
  throw new Error(`it did not come about in ${deadline(longestMs)} ms`)
}
