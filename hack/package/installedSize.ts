import { existsSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

export function packageFolders(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => !name.startsWith('.'))
    .flatMap((name) => {
      const path = join(folder, name)
      if (name.startsWith('@')) return packageFolders(path)
      return [path, ...packageFolders(join(path, 'node_modules'))]
    })
}

/** Space on disk, in bytes, and number of packages of a `node_modules` folder. */
export function sizeOf(folder: string): { bytes: number; packages: number } {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  // Space on disk, as counted by `du`.
  const bytes = files.reduce((sum, name) => sum + lstatSync(join(folder, name)).blocks * 512, 0)
  return { bytes, packages: packageFolders(folder).length }
}
