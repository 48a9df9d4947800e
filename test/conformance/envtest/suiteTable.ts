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

const head = [
  '| suite | tests | failed here | seconds here | failed, real pair | seconds, real pair |',
  '|---|---|---|---|---|---|',
]

/**
 * Table in the documentation. Suites that did not run keep their rows of `earlier`, an earlier table; new suites follow
 * them.
 */
export function tableText(rows: readonly SuiteRow[], earlier = ''): string {
  const lines = new Map(
    earlier
      .split('\n')
      .slice(head.length)
      .filter((line) => line !== '')
      .map((line) => [line.split(' | ')[0]?.slice(2) ?? '', line]),
  )
  for (const row of rows) lines.set(row.suite, lineOf(row))
  return `${[...head, ...lines.values()].join('\n')}\n`
}

function lineOf({ suite, ours, real }: SuiteRow): string {
  const tests = Math.max(...ours.map((ran) => ran.tests))
  const cells = [suite, tests, failures(ours), times(ours), failures(real), times(real)]
  return `| ${cells.join(' | ')} |`
}

/** Number of failed tests in all rounds. */
function failures(runs: readonly SuiteRun[]): number {
  return runs.reduce((sum, { failed }) => sum + failed.length, 0)
}

function times(runs: readonly SuiteRun[]): string {
  return runs.map(({ seconds }) => seconds.toFixed(1)).join(', ')
}
