import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Damage to a file of a folder. */
export interface FileDamage {
  /** Path relative to the folder. */
  file: string
  /** Description of the damage. */
  what: string
  /** True if another complete file replaces it. */
  isExchange?: true
  /** Applies the damage to the file in `folder`. */
  apply: (folder: string) => void
}

export interface DamageOptions {
  folder: string
  /** Number of places in a file, evenly spread from its first byte to its last. */
  places: number
  /** Reports whether to damage a file. */
  wanted: (file: string) => boolean
}

const zeroedBytes = 4096

/** Damages to every file of a folder: flipped, cut off and zeroed bytes, and removals. */
export function fileDamages({ folder, places, wanted }: DamageOptions): FileDamage[] {
  return filesOf(folder)
    .filter(wanted)
    .flatMap((file) => {
      const { length } = readFileSync(join(folder, file))
      const spread = (end: number) =>
        length === 0
          ? []
          : Array.from({ length: places }, (_, at) => Math.round((at * end) / (places - 1)))
      const edit = (what: string, change: (bytes: Buffer) => Buffer): FileDamage => {
        const apply = (target: string) => {
          const path = join(target, file)
          writeFileSync(path, change(readFileSync(path)))
        }
        return { file, what, apply }
      }
      return [
        ...unique(spread(length - 1)).map((at) => edit(`a bit flipped at ${at}`, flipped(at))),
        ...unique(spread(length - 1)).map((at) => edit(`cut to ${at}`, (b) => b.subarray(0, at))),
        ...unique(spread(Math.max(0, length - zeroedBytes))).map((at) =>
          edit(`4 KB zeroed at ${at}`, (b) =>
            Buffer.from(b).fill(0, at, Math.min(at + zeroedBytes, length)),
          ),
        ),
        { file, what: 'removed', apply: (target: string) => rmSync(join(target, file)) },
      ]
    })
}

/** Exchanges of files with those of another folder, if they differ. */
export function fileExchanges(folder: string, other: string, what: string): FileDamage[] {
  return filesOf(folder).flatMap((file) => {
    const path = join(other, file)
    if (!existsSync(path)) return []
    const bytes = readFileSync(path)
    if (bytes.equals(readFileSync(join(folder, file)))) return []
    const apply = (target: string) => writeFileSync(join(target, file), bytes)
    return [{ file, what: `${what} in its place`, isExchange: true, apply }]
  })
}

/** Paths relative to `folder`, in order. */
function filesOf(folder: string): string[] {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true })
  return found
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort()
}

function flipped(at: number): (bytes: Buffer) => Buffer {
  return (bytes) => {
    const changed = Buffer.from(bytes)
    changed.writeUInt8(changed.readUInt8(at) ^ 4, at)
    return changed
  }
}

function unique(places: readonly number[]): number[] {
  return [...new Set(places)]
}
