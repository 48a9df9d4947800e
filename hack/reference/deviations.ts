import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

/** Deliberate or remaining difference from the peer. */
export interface Deviation {
  what: string
  here: string
  there: string
  /** Benefit for users. Absent: missing work. */
  gain?: string
  /** Missing behaviour. */
  owed?: string
  match?: readonly DeviationMatch[]
}

/** Differences that belong to a deviation, as regular expressions. */
export interface DeviationMatch {
  at: string
  ours: string
  peer: string
  /** Removed from the peer's value; the remainder must be equal. Absent: the values are not compared. */
  cut?: string
  /** Removed from this server's value before the comparison. */
  cutHere?: string
}

const file = join(import.meta.dirname, '../../docs/reference/deviations.yaml')

/** All deviations, in the order of the file. @throws Error for one without exactly one of gain and owed. */
export function readDeviations(): readonly Deviation[] {
  // Sound: the file belongs to the repository and has the form that its header describes.
  const all = parse(readFileSync(file, 'utf8')) as readonly Deviation[]
  for (const { what, gain, owed } of all)
    if ((gain === undefined) === (owed === undefined))
      throw new Error(`docs/reference/deviations.yaml: ${what}: either gain or owed`)
  return all
}
