/** Interval in milliseconds between checks for the launcher. */
const intervalMs = 250

/** Properties of a process that identify its parent. */
export interface LaunchedProcess {
  env: Record<string, string | undefined>
  /** Process ID of the parent; it changes when the parent ends, except on Windows. */
  ppid: number
  kill(pid: number, signal: 0): unknown
}

/**
 * Resolves when the npm process that started this process, for `npx` or a script, has ended: npm's
 * shell does not forward the signal that ends it. Never resolves in a process that npm did not
 * start.
 */
export function launcherEnded(launched: LaunchedProcess): Promise<void> {
  if (launched.env['npm_command'] === undefined) return new Promise(() => undefined)
  const launcher = launched.ppid
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      if (isRunning(launched, launcher)) return
      clearInterval(timer)
      resolve()
    }, intervalMs)
    timer.unref()
  })
}

function isRunning(launched: LaunchedProcess, launcher: number): boolean {
  if (launched.ppid !== launcher) return false
  try {
    launched.kill(launcher, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
