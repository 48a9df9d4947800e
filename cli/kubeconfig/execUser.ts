import { accessSync, constants, realpathSync } from 'node:fs'
import type { Call } from '../base/commandSpec.ts'
import { variable } from '../base/program.ts'

export interface ExecOptions {
  /** Arguments of `token`. */
  args: readonly string[]
  apiVersion: 'v1' | 'v1beta1'
}

/**
 * User of a kubeconfig that gets its credential from this program. Source: Kubernetes, "client-go credential plugins".
 */
export function execUser(
  { program, env }: Pick<Call, 'program' | 'env'>,
  { args, apiVersion }: ExecOptions,
): Record<string, unknown> {
  const home = variable(program, env, 'HOME')
  const name = `${program.name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}_HOME`
  const { command, first } = commandOf(program.path)
  return {
    exec: {
      apiVersion: `client.authentication.k8s.io/${apiVersion}`,
      command,
      args: [...first, 'token', ...args],
      // Programs started from a desktop lack the variables of the shell.
      env: home === undefined ? null : [{ name, value: home }],
      interactiveMode: 'IfAvailable',
      provideClusterInfo: false,
      installHint: `${program.name} gets the credential of this context; install it, or run "${program.name} use" again.`,
    },
  }
}

/**
 * Absolute path of the program, so that it works with any PATH; preceded by the path of Node if the
 * file is not executable.
 */
function commandOf(path: string): { command: string; first: string[] } {
  if (process.platform !== 'win32' && isExecutable(path) && !path.endsWith('.ts'))
    return { command: path, first: [] }
  const loader = path.endsWith('.ts') ? process.execArgv : []
  return { command: process.execPath, first: [...loader, realpathSync(path)] }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
