import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'

/** A way in which this server means to differ, or still does. */
export interface Deviation {
  what: string
  here: string
  there: string
  /** Benefit for users. Absent: it only saves work. */
  gain?: string
  /** Missing behaviour. */
  owed?: string
  match?: readonly DeviationMatch[]
}

/** The differences that are of a deviation: regular expressions. */
export interface DeviationMatch {
  at: string
  ours: string
  peer: string
  /** Left out of the peer's value; what remains is equal. Absent: the values are not compared. */
  cut?: string
  /** Left out of the value here before it is compared. */
  cutHere?: string
}

const file = join(import.meta.dirname, '../../docs/reference/deviations.yaml')

/** Every deviation, in the order of the file. @throws Error for one that has not exactly one of gain and owed. */
export function readDeviations(): readonly Deviation[] {
  // The file is part of this repository, and its form is the one that its head describes.
  const all = parse(readFileSync(file, 'utf8')) as readonly Deviation[]
  for (const { what, gain, owed } of all)
    if ((gain === undefined) === (owed === undefined))
      throw new Error(`docs/reference/deviations.yaml: ${what}: either gain or owed`)
  return all
}
