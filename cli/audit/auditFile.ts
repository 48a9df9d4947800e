import { open, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AuditEvent } from './filter.ts'

const stepBytes = 256 * 1024
const pauseMs = 250

/** Calls `take` with the events of a log file, and with new ones until the signal aborts. Follows rotation. */
export async function readAuditFile(
  path: string,
  { isFollowing, signal }: { isFollowing: boolean; signal: AbortSignal },
  take: (event: AuditEvent) => void | Promise<void>,
): Promise<void> {
  let rest = ''
  let at = 0
  let inode = (await stat(path)).ino
  for (;;) {
    const { text, position } = await readFrom(path, at)
    at = position
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const event = eventIn(line)
      if (event !== undefined) await take(event)
    }
    if (text !== '') continue
    if (!isFollowing || signal.aborted) return
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined)
    const now = await stat(path).catch(() => undefined)
    if (now !== undefined && (now.ino !== inode || now.size < at)) {
      inode = now.ino
      at = 0
      rest = ''
    }
  }
}

async function readFrom(path: string, at: number): Promise<{ text: string; position: number }> {
  const file = await open(path)
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(stepBytes), 0, stepBytes, at)
    // The last character may be incomplete, but not before the last line break, unless the line is longer.
    const end = buffer.subarray(0, bytesRead).lastIndexOf(10) + 1
    const used = end > 0 ? end : bytesRead
    return { text: buffer.subarray(0, used).toString('utf8'), position: at + used }
  } finally {
    await file.close()
  }
}

/** Event in a line; undefined: not an event. */
function eventIn(line: string): AuditEvent | undefined {
  try {
    const event: unknown = JSON.parse(line)
    // Sound: an object, and its fields are checked individually.
    return typeof event === 'object' && event !== null ? (event as AuditEvent) : undefined
  } catch {
    return undefined
  }
}
