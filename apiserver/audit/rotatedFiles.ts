import { readdir, unlink } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'

const dayMs = 24 * 60 * 60 * 1000

/**
 * The name of a rotated file: `audit-2030-01-01T00-00-00.000.log` for `audit.log`, with `-2` and so
 * on before the extension if the name is taken, and with `.gz` at the end if compressed.
 */
export function rotatedName(
  path: string,
  rotation: { epochMs: number; index: number; compress: boolean },
): string {
  const { epochMs, index, compress } = rotation
  const { stem, extension } = partsOf(path)
  const time = new Date(epochMs).toISOString().slice(0, -1).replaceAll(':', '-')
  const again = index > 1 ? `-${index}` : ''
  return join(dirname(path), `${stem}-${time}${again}${extension}${compress ? '.gz' : ''}`)
}

function partsOf(path: string): { stem: string; extension: string } {
  const extension = extname(path)
  return { stem: basename(path, extension), extension }
}

export interface Retention {
  nowMs: number
  /** Maximum age in days; 0: unlimited. */
  maxAgeDays: number
  /** Maximum number of files; 0: unlimited. */
  maxBackups: number
}

/** Removes rotated files of a log that exceed the age or number limit, and no other files. */
export async function removeOldFiles(path: string, retention: Retention): Promise<void> {
  const { nowMs, maxAgeDays, maxBackups } = retention
  if (maxAgeDays === 0 && maxBackups === 0) return
  const files = await rotatedFiles(path)
  const isOld = (epochMs: number) => maxAgeDays > 0 && epochMs < nowMs - maxAgeDays * dayMs
  for (const [at, { name, epochMs }] of files.entries()) {
    const isTooMany = maxBackups > 0 && at >= maxBackups
    if (isTooMany || isOld(epochMs)) await unlink(join(dirname(path), name))
  }
}

interface RotatedFile {
  name: string
  epochMs: number
  index: number
}

/** Rotated files, newest first. */
async function rotatedFiles(path: string): Promise<RotatedFile[]> {
  const { stem, extension } = partsOf(path)
  const names = await readdir(dirname(path))
  return names
    .flatMap((name) => readName(name, stem, extension))
    .sort((a, b) => b.epochMs - a.epochMs || b.index - a.index)
}

const timeAndIndex = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d\.\d{3})(?:-(\d+))?$/

function readName(name: string, stem: string, extension: string): RotatedFile[] {
  const bare = name.endsWith('.gz') ? name.slice(0, -3) : name
  if (!bare.startsWith(`${stem}-`) || !bare.endsWith(extension)) return []
  const middle = bare.slice(stem.length + 1, bare.length - extension.length)
  const [, day, hour, minute, second, index = '1'] = timeAndIndex.exec(middle) ?? []
  const epochMs = Date.parse(`${day}T${hour}:${minute}:${second}Z`)
  return Number.isNaN(epochMs) ? [] : [{ name, epochMs, index: Number(index) }]
}
