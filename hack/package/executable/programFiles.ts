import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { installedPackages } from '../joinedPackages.ts'
import type { ProgramFile } from './archive.ts'

/** Platform of an executable. */
export interface Target {
  system: 'darwin' | 'linux' | 'win32'
  processor: 'arm64' | 'x64'
  /** npm package with the runtime. */
  runtime: string
}

/**
 * Files of the program built into `dist` with its packages, and the native code of one platform. Omits the code cache,
 * which belongs to the runtime of the build; the executable creates its own.
 */
export function programFiles(
  target: Target,
  dependencies: readonly string[],
  dist = 'dist',
): ProgramFile[] {
  const built = filesBelow(dist).filter((path) => !/\.(map|cache|d\.c?ts)$/.test(path))
  const packages = installedPackages(dependencies).flatMap(({ folder }) => packageFiles(folder))
  const code = machineCode(target)
  const paths = ['package.json', 'LICENSE', 'NOTICE', ...built, ...packages, ...code]
  const files = paths.map((path) => ({ path, content: readFileSync(path) }))
  const load = 'module.exports = (url) => import(url)\n'
  return [...files, { path: 'load.cjs', content: Buffer.from(load) }]
}

/** JavaScript files of a package; sources of its native code are not needed. */
function packageFiles(folder: string): string[] {
  return filesBelow(folder)
    .filter((path) => /(\.(c?js|json)|LICENSE(\.md)?)$/.test(path))
    .filter((path) => !/\/(deps|test|node_modules)\//.test(path.slice(folder.length)))
}

/** @throws Error if the database has no native code for the platform. */
function machineCode({ system, processor }: Target): string[] {
  const all = 'node_modules/classic-level/prebuilds'
  const folder = readdirSync(all).find((name) => {
    const [itsSystem = '', processors = ''] = name.split('-')
    return itsSystem === system && processors.split('+').includes(processor)
  })
  const files = folder === undefined ? [] : filesBelow(`${all}/${folder}`)
  if (files.length === 0) throw new Error(`no LevelDB for ${system} on ${processor}`)
  return files
}

/** All files below a folder, with slashes. */
function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).replaceAll('\\', '/'))
    .sort()
}
