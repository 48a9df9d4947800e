import type { ChildProcess } from 'node:child_process'

/** Processes started by tests. */
const started = new Set<ChildProcess>()

/** Ends a process with the tests, even if the test that started it has failed. */
export function endWithTests(process: ChildProcess): void {
  started.add(process)
  process.once('exit', () => started.delete(process))
}

export function endStarted(): void {
  for (const one of started) one.kill('SIGKILL')
}
