import { readFileSync } from 'node:fs'
import type { Target } from './programFiles.ts'

/** First bytes of an executable, and the offset and code of the processor. */
interface Shape {
  magic: string
  /** Offset of the processor code; in Windows executables, relative to the offset stored at 0x3c. */
  at: number
  processors: Readonly<Record<Target['processor'], number>>
}

/** Source: ELF, e_machine; Mach-O, cputype; PE, Machine. */
const shapes: Readonly<Record<Target['system'], Shape>> = {
  linux: { magic: '7f454c46', at: 18, processors: { x64: 0x3e, arm64: 0xb7 } },
  darwin: { magic: 'cffaedfe', at: 4, processors: { x64: 0x0007, arm64: 0x000c } },
  win32: { magic: '4d5a', at: 4, processors: { x64: 0x8664, arm64: 0xaa64 } },
}

/** Marker of a runtime with an embedded program. Source: Node, "Single executable applications". */
const fuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2:1'

/**
 * Problems of an executable that this machine may not be able to run; empty: none. `version` is that of the program.
 */
export function faultsOf(path: string, { system, processor }: Target, version: string): string[] {
  const bytes = readFileSync(path)
  const { magic, at, processors } = shapes[system]
  const start = system === 'win32' ? bytes.readUInt32LE(0x3c) : 0
  const faults: [isFault: boolean, what: string][] = [
    [!bytes.toString('hex', 0, 8).startsWith(magic), `it is not an executable of ${system}`],
    [bytes.readUInt16LE(start + at) !== processors[processor], `it is not for ${processor}`],
    [!bytes.includes(fuse), 'the runtime does not look for a program in it'],
    [!bytes.includes(version), `the program ${version} is not in it`],
  ]
  return faults.filter(([isFault]) => isFault).map(([, what]) => what)
}
