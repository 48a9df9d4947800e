import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { goCache } from '../go/goModule.ts'
import { runToEnd } from '../support/command.ts'
import { findOnPath } from '../support/kubectlBinaries.ts'
import type { Workspace } from '../support/workspace.ts'

export const helmVersion = '4.3.1'

/** The first build compiles several hundred packages with one low-priority process. */
const buildSeconds = 1_500

/** The program, built with Go where it is not there yet. @throws Error with why it cannot be. */
export async function helmProgram(workspace: Workspace): Promise<string> {
  const program = join(goCache, `helm-${helmVersion}`)
  if (existsSync(program)) return program
  const go = findOnPath('go')
  if (go === undefined) throw new Error('no go on PATH')
  const folder = join(goCache, 'helm-new')
  mkdirSync(folder, { recursive: true })
  const command = ['nice', '-n', '19', go, 'install', `helm.sh/helm/v4/cmd/helm@v${helmVersion}`]
  const env = { ...process.env, GOBIN: folder, GOFLAGS: '-p=1', GOTOOLCHAIN: 'local' }
  const { code, stderr } = await runToEnd(workspace, command, { env, timeoutSeconds: buildSeconds })
  if (code !== 0) throw new Error(stderr.trim().split('\n').at(-1) ?? 'go install failed')
  renameSync(join(folder, 'helm'), program)
  rmSync(folder, { recursive: true })
  return program
}
