import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

/** Measured Node process. */
export interface Child {
  process: ChildProcess
  pid: number
}

/** Starts Node with piped standard streams. Standard error is shown, unless `quiet`. */
export function startNode(args: readonly string[], { quiet = false } = {}): Child {
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'pipe'] })
  if (!quiet) child.stderr.pipe(process.stderr)
  if (child.pid === undefined) throw new Error(`cannot start node ${args.join(' ')}`)
  return { process: child, pid: child.pid }
}

/** First line for which `found` returns a value. @throws Error if the stream ends before. */
export async function firstLine<T>(
  stream: Readable,
  found: (line: string) => T | undefined,
): Promise<T> {
  const seen: string[] = []
  for await (const line of createInterface({ input: stream })) {
    const value = found(line)
    if (value !== undefined) {
      stream.resume()
      return value
    }
    seen.push(line)
  }
  throw new Error(`a process ended before it was ready: ${seen.join('\n')}`)
}

export async function stopChild({ process: child }: Child): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), 20_000)
  await exit
  clearTimeout(timer)
}

/** CPU time of a process so far, of all its threads, in steps of 10 ms. 0 without /proc. */
export function cpuSeconds(pid: number): number {
  const stat = readProc(pid, 'stat')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / 100
}

/** Resident memory of a process in bytes. 0 without /proc. */
export function residentBytes(pid: number): number {
  const found = /^VmRSS:\s+(\d+) kB$/m.exec(readProc(pid, 'status'))
  return Number(found?.[1] ?? 0) * 1024
}

function readProc(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    // Memory and CPU time are unknown on systems without /proc.
    return ''
  }
}
