import type { Workspace } from '../support/workspace.ts'
import { runToEnd } from '../support/command.ts'

/** Compiled suite. */
export interface CompiledSuite {
  program: string
  /** Folder of the package, which contains its fixtures. */
  folder: string
}

/** Result of a suite. */
export interface SuiteRun {
  tests: number
  /** Names of the failed tests; the end of the output if no test was named. */
  failed: readonly string[]
  seconds: number
}

const longestSeconds = 1_200

/** Runs a suite with the executables of a folder. */
export async function runSuite(
  workspace: Workspace,
  { program, folder }: CompiledSuite,
  assets: string,
): Promise<SuiteRun> {
  const env = { ...process.env, KUBEBUILDER_ASSETS: assets }
  const began = performance.now()
  const { code, stdout, stderr } = await runToEnd(
    workspace,
    [program, '-test.v', `-test.timeout=${longestSeconds}s`],
    { cwd: folder, env, timeoutSeconds: longestSeconds + 60 },
  )
  const seconds = (performance.now() - began) / 1000
  const named = [...new Set(stdout.match(/^.*(\[FAIL\]|--- FAIL|panic:).*$/gm) ?? [])]
  const failed = code === 0 ? [] : named.length > 0 ? named : [(stdout + stderr).slice(-2_000)]
  return { tests: testsOf(stdout), failed, seconds }
}

/** Tests of Ginkgo, and tests of Go that are not Ginkgo suites. */
function testsOf(printed: string): number {
  const plain = printed.replaceAll(/\u001b\[[\d;]*m/g, '')
  const specs = [...plain.matchAll(/^Ran (\d+) of \d+ Specs? in/gm)]
  const ran = [...plain.matchAll(/^ *--- (PASS|FAIL): /gm)]
  return specs.reduce((sum, [, count]) => sum + Number(count), ran.length - specs.length)
}
