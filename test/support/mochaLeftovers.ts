import { endStarted } from './startedProcesses.ts'

/** Time in which resources of tests must close by themselves. */
const lingerMs = 5_000

/** A failed test leaves processes, storages and connections open, which would keep the process of the tests alive. */
export const mochaHooks = {
  afterAll(): void {
    endStarted()
    // A worker of `--parallel` has more files to run, and is ended with the run.
    if (process.env['MOCHA_WORKER_ID'] === undefined)
      setTimeout(() => process.exit(), lingerMs).unref()
  },
}
