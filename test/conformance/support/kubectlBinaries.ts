import { accessSync, constants, existsSync, readdirSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, delimiter, dirname, join } from 'node:path'
import { runToEnd } from './command.ts'
import type { Workspace } from './workspace.ts'

export interface KubectlBinary {
  path: string
  /** Full version, such as 1.27.16. */
  version: string
  minor: number
}

/** Every kubectl, oldest first, each version once. */
export async function findKubectls(workspace: Workspace): Promise<KubectlBinary[]> {
  const found = await Promise.all(kubectlFiles().map((path) => identify(workspace, path)))
  const versions = new Map(found.map((binary) => [binary.version, binary]))
  return [...versions.values()].sort((a, b) => a.minor - b.minor || (a.path < b.path ? -1 : 1))
}

/**
 * Files of every kubectl: beside the one on PATH (`kubectl`, `kubectl.1.27` …), and those built by
 * hack/build-kubectls.sh.
 */
export function kubectlFiles(): string[] {
  const onPath = findOnPath('kubectl')
  const folders = [
    ...(onPath === undefined ? [] : [dirname(realpathSync(onPath))]),
    join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'platform-apiserver/kubectl'),
  ]
  const files = folders.flatMap((folder) => (existsSync(folder) ? filesIn(folder) : []))
  return [...new Set(files.map((file) => realpathSync(file)))]
}

function filesIn(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => /^kubectl([.-]v?[\d.]+)?$/.test(name))
  return names.map((name) => join(folder, name))
}

/** File that the shell would run. */
export function findOnPath(program: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return folders.map((folder) => join(folder, program)).find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

async function identify(workspace: Workspace, path: string): Promise<KubectlBinary> {
  const { stdout, stderr } = await runToEnd(workspace, [path, 'version', '--client', '-o', 'json'])
  const [, version = '', minor = ''] = /"gitVersion": "v(1\.(\d+)[^"]*)"/.exec(stdout) ?? []
  if (version === '') throw new Error(`${basename(path)} tells no version: ${stdout}${stderr}`)
  return { path, version, minor: Number(minor) }
}
