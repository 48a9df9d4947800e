import { readFileSync } from 'node:fs'
import type { Metafile } from 'esbuild'

/** Package that is part of the program. */
export interface ProgramPackage {
  name: string
  version: string
  /** SPDX expression from its package.json. */
  license: string
  /** Installation folder, relative to the repository. */
  folder: string
  /** Registry digest of the archive, `sha512-…` in base64. */
  integrity: string | undefined
  /** True if the code is bundled rather than installed separately. */
  isJoined: boolean
}

interface LockedPackage {
  integrity?: string
  dependencies?: Record<string, string>
}

/** Packages with code in the built files, by name and version. */
export function joinedPackages(metafiles: readonly Metafile[]): ProgramPackage[] {
  const folders = new Set<string>()
  for (const { outputs } of metafiles)
    for (const { inputs } of Object.values(outputs))
      for (const [file, { bytesInOutput }] of Object.entries(inputs)) {
        const folder = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]
        if (folder !== undefined && bytesInOutput > 0) folders.add(folder)
      }
  return packagesIn(folders, true)
}

/** Packages installed with the program, and their dependencies. */
export function installedPackages(names: readonly string[]): ProgramPackage[] {
  const locked = lockedPackages()
  const folders = new Set<string>()
  const add = (name: string): void => {
    const folder = `node_modules/${name}`
    if (folders.has(folder)) return
    folders.add(folder)
    Object.keys(locked[folder]?.dependencies ?? {}).forEach(add)
  }
  names.forEach(add)
  return packagesIn(folders, false)
}

function packagesIn(folders: Iterable<string>, isJoined: boolean): ProgramPackage[] {
  const locked = lockedPackages()
  const found = [...folders].map((folder) => {
    // Sound: every installed package has these fields.
    const { name, version, license } = JSON.parse(
      readFileSync(`${folder}/package.json`, 'utf8'),
    ) as { name: string; version: string; license?: string | { type: string } }
    const licenseId = typeof license === 'object' ? license.type : (license ?? 'NOASSERTION')
    return {
      name,
      version,
      license: licenseId,
      folder,
      integrity: locked[folder]?.integrity,
      isJoined,
    }
  })
  return found.sort((a, b) => (`${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1))
}

function lockedPackages(): Record<string, LockedPackage | undefined> {
  // Sound: npm writes the file.
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, LockedPackage>
  }
  return packages
}
