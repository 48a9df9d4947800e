import { accessSync, constants, readdirSync, realpathSync } from 'node:fs'
import { basename, delimiter, dirname, join } from 'node:path'
import { runToEnd } from './command.ts'
import type { Workspace } from './workspace.ts'

export interface KubectlBinary {
  path: string
  /** Full version, such as 1.27.16. */
  version: string
  minor: number
}

/** Every kubectl beside the one on PATH (`kubectl`, `kubectl.1.27` …), oldest first, each version
 *  once; empty where PATH has none. */
export async function findKubectls(workspace: Workspace): Promise<KubectlBinary[]> {
  const onPath = findOnPath('kubectl')
  if (onPath === undefined) return []
  const folder = dirname(realpathSync(onPath))
  const names = readdirSync(folder).filter((name) => /^kubectl([.-]v?[\d.]+)?$/.test(name))
  const files = new Set([realpathSync(onPath), ...names.map((name) => join(folder, name))])
  const found = await Promise.all([...files].map((path) => identify(workspace, path)))
  const versions = new Map(found.map((binary) => [binary.version, binary]))
  return [...versions.values()].sort((a, b) => a.minor - b.minor || (a.path < b.path ? -1 : 1))
}

/** The file that the shell would run. */
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
