import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runToEnd } from '../support/command.ts'
import type { Workspace } from '../support/workspace.ts'

const hack = join(import.meta.dirname, '../../../hack')

export const helmVersion = readFileSync(join(hack, 'helm-version'), 'utf8').trim()

/** The first build compiles several hundred packages. */
const buildSeconds = 1_500

/**
 * The program, built with Go if it does not exist yet. @throws Error with the reason if that fails.
 */
export async function helmProgram(workspace: Workspace): Promise<string> {
  const command = [join(hack, 'build-helm.sh')]
  const { code, stdout, stderr } = await runToEnd(workspace, command, {
    env: process.env,
    timeoutSeconds: buildSeconds,
  })
  if (code !== 0) throw new Error(stderr.trim().split('\n').at(-1) ?? 'it cannot be built')
  return stdout.trim()
}
