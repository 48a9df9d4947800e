import { endStarted } from './startedProcesses.ts'

/** Time in which the resources of tests must close by themselves. */
const lingerMs = 5_000

/**
 * Exits if a failed test leaves processes, storages and connections open, which would keep the
 * process of the tests alive.
 */
export const mochaHooks = {
  afterAll(): void {
    endStarted()
    // A worker of `--parallel` has more files to run, and ends with the run.
    if (process.env['MOCHA_WORKER_ID'] === undefined)
      setTimeout(() => process.exit(), lingerMs).unref()
  },
}
