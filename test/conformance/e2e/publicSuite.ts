import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { runToEnd } from '../support/command.ts'
import type { Workspace } from '../support/workspace.ts'
import type { ControlPlane } from './controlPlane.ts'
import type { ControlPlanePrograms } from './controlPlanePrograms.ts'

/** Result of a test of the public suite. */
export interface TestResult {
  name: string
  state: 'passed' | 'failed' | 'timedout' | 'panicked' | 'interrupted'
  seconds: number
  message: string
}

export interface SuiteOptions {
  /** Regular expressions for names. */
  focus: string
  skip: string
  processes: number
  longestWait: string
  timeoutSeconds: number
}

interface Report {
  SpecReports: {
    ContainerHierarchyTexts: string[] | null
    LeafNodeText: string
    LeafNodeType: string
    State: string
    RunTime: number
    Failure?: { Message?: string }
  }[]
}

/** Runs the public suite on a control plane, in separate processes. */
export async function runPublicSuite(
  workspace: Workspace,
  { plane, programs }: { plane: ControlPlane; programs: ControlPlanePrograms },
  options: SuiteOptions,
): Promise<TestResult[]> {
  const { focus, skip, processes, longestWait, timeoutSeconds } = options
  // The runner identifies a suite by its name.
  const suite = join(plane.folder, 'e2e.test')
  symlinkSync(programs.suite, suite)
  const command = [
    ...[programs.ginkgo, `--procs=${processes}`, '--no-color', '--keep-going'],
    ...[
      `--timeout=${timeoutSeconds}s`,
      '--json-report=report.json',
      `--output-dir=${plane.folder}`,
    ],
    ...[`--focus=${focus}`, ...(skip === '' ? [] : [`--skip=${skip}`])],
    ...[suite, '--', `--kubeconfig=${plane.kubeconfig}`, '--provider=skeleton'],
    ...['--num-nodes=2', '--allowed-not-ready-nodes=-1', '--minStartupPods=0'],
    ...['--disable-log-dump', '--dump-logs-on-failure=false', `--kubectl-path=${programs.kubectl}`],
    ...[`--longest-wait=${longestWait}`, '--node-schedulable-timeout=1m'],
  ]
  const output = { cwd: plane.folder, timeoutSeconds: timeoutSeconds + 120 }
  const { stdout, stderr } = await runToEnd(workspace, command, output)
  return readReport(join(plane.folder, 'report.json'), (stdout + stderr).slice(-3_000))
}

function readReport(file: string, printed: string): TestResult[] {
  let reports: Report[]
  try {
    reports = JSON.parse(readFileSync(file, 'utf8')) as Report[]
  } catch (cause) {
    throw new Error(`the suite left no report:\n${printed}`, { cause })
  }
  return reports
    .flatMap(({ SpecReports: specs }) => specs)
    .filter(
      ({ LeafNodeType: type, State: state }) =>
        type === 'It' && state !== 'skipped' && state !== 'pending',
    )
    .map((spec) => ({
      name: [...(spec.ContainerHierarchyTexts ?? []), spec.LeafNodeText].join(' '),
      // All other states of tests that ran.
      state: spec.State as TestResult['state'],
      seconds: spec.RunTime / 1e9,
      message: spec.Failure?.Message ?? '',
    }))
}
