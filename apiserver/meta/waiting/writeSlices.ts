import { guarded } from './guarded.ts'
import { writeTurns } from './writeTurns.ts'

/**
 * Size of a slice: large enough that waiting for each costs no throughput, small enough for thousands of connections to
 * hold one each.
 */
export const sliceBytes = 128 * 1024

/** A response, a stream or a socket. */
export interface SliceOutput {
  /** False: the buffer is full until the next `drain`. */
  write(slice: Buffer): boolean
  once(event: 'drain', callback: () => void): unknown
  destroy(): unknown
  readonly destroyed?: boolean
}

/**
 * Writes large buffers in slices, and waits for `drain` and for a turn after each slice that fills
 * the output's buffer. TLS encrypts everything it is given at once, so a buffer shared by many
 * connections would become one copy for each of them. Buffers appended to `parts` before the last
 * one is written are written, too.
 * True: everything was written at once. False: `written` is called when there is room after the
 * last slice, unless the output closes before.
 */
export function writeSlices(
  output: SliceOutput,
  parts: readonly Buffer[],
  written: () => void,
): boolean {
  const slices = slicesOf(parts)
  const failed = () => output.destroy()
  const writeOn = (): boolean => {
    for (let next = slices.next(); next.done !== true; next = slices.next()) {
      if (output.write(next.value)) continue
      output.once('drain', () => writeTurns.run(drained))
      return false
    }
    return true
  }
  const drained = guarded('writeSlices.drained', failed, () => {
    if (output.destroyed !== true && writeOn()) written()
  })
  return writeOn()
}

/** Reports whether writes to a socket are encrypted, which copies them; plain writes share their buffers. */
export function isEncrypted(socket: object): boolean {
  return 'encrypted' in socket
}

/** The buffers in slices of at most `sliceBytes`, without copying. */
export function* slicesOf(parts: Iterable<Buffer>): Generator<Buffer> {
  for (const part of parts) {
    for (let at = 0; at < part.length; at += sliceBytes) {
      yield part.length <= sliceBytes ? part : part.subarray(at, at + sliceBytes)
    }
  }
}

/** Bytes that a connection may hold besides the shared buffers: the encrypted copy of one slice. */
export function encryptedBytes(bytes: number): number {
  return Math.min(bytes, sliceBytes)
}
