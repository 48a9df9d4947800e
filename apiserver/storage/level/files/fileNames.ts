import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isMissing } from '../../../runtime/systemReason.ts'

/** The files of a database folder, by LevelDB's naming. */
export interface FileNames {
  /** The manifest that CURRENT names, whether it exists or not; undefined: CURRENT names none. */
  manifest: string | undefined
  /** Names by number. */
  tables: Map<number, string>
  logs: Map<number, string>
}

/** @throws the system's error. */
export async function fileNames(folder: string): Promise<FileNames> {
  const found = await readdir(folder)
  return {
    manifest: await currentManifest(folder),
    tables: byNumber(found, /^(\d+)\.(?:ldb|sst)$/),
    logs: byNumber(found, /^(\d+)\.log$/),
  }
}

async function currentManifest(folder: string): Promise<string | undefined> {
  try {
    const current = await readFile(join(folder, 'CURRENT'), 'utf8')
    return /^(MANIFEST-\d+)\n$/.exec(current)?.[1]
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

function byNumber(files: readonly string[], form: RegExp): Map<number, string> {
  return new Map(
    files.flatMap((file): [number, string][] => {
      const number = form.exec(file)?.[1]
      return number === undefined ? [] : [[Number(number), file]]
    }),
  )
}

/** The name of a missing file as LevelDB would create it. */
export function nameOfNumber(number: number, kind: 'ldb' | 'log'): string {
  return `${String(number).padStart(6, '0')}.${kind}`
}
