import { cpSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Workspace } from './workspace.ts'

const repository = join(import.meta.dirname, '../../..')

/** Copies the build, so that a rebuild does not disturb the run. Returns the file to run. */
export function copyProgram(workspace: Workspace): string {
  const folder = workspace.folder('program')
  for (const name of ['dist', 'package.json']) {
    cpSync(join(repository, name), join(folder, name), { recursive: true })
  }
  symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'))
  return join(folder, 'dist/apiserver/main.js')
}
