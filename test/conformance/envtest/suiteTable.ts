import type { SuiteRun } from './suiteRun.ts'

/** Row of the table of suites. */
export interface SuiteRow {
  suite: string
  ours: readonly SuiteRun[]
  real: readonly SuiteRun[]
}

export function suiteRow(
  suite: string,
  { ours, real }: { ours: readonly SuiteRun[]; real: readonly SuiteRun[] },
): SuiteRow {
  return { suite, ours, real }
}

/** Table in the documentation. */
export function tableText(rows: readonly SuiteRow[]): string {
  const head =
    '| suite | tests | failed here | seconds here | failed, real pair | seconds, real pair |'
  const lines = rows.map(({ suite, ours, real }) => {
    const tests = Math.max(...ours.map((ran) => ran.tests))
    const cells = [suite, tests, failures(ours), times(ours), failures(real), times(real)]
    return `| ${cells.join(' | ')} |`
  })
  return `${[head, '|---|---|---|---|---|---|', ...lines].join('\n')}\n`
}

/** Number of failed tests in all rounds. */
function failures(runs: readonly SuiteRun[]): number {
  return runs.reduce((sum, { failed }) => sum + failed.length, 0)
}

function times(runs: readonly SuiteRun[]): string {
  return runs.map(({ seconds }) => seconds.toFixed(1)).join(', ')
}
