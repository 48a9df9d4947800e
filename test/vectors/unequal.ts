import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { classOf } from '../differential/realServer/findings.ts'
import type { Replayed } from './replay.ts'

/** The vectors that this server does not answer as recorded, by class. */
export type Unequal = Record<string, { reason: string; ids: string[] }>

const file = join(import.meta.dirname, 'unequal.jsonl')

interface Line {
  class: string
  reason: string
  ids: string
}

export function readUnequal(): Unequal {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
  // The file was written by writeUnequal.
  const classes = lines.map((line) => JSON.parse(line) as Line)
  return Object.fromEntries(
    classes.map(({ class: name, reason, ids }) => [name, { reason, ids: ids.split(' ') }]),
  )
}

export function writeUnequal(unequal: Unequal): void {
  const lines = Object.entries(unequal)
    .filter(([, { ids }]) => ids.length > 0)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { reason, ids }]): Line => ({ class: name, reason, ids: ids.join(' ') }))
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
}

/** The classes of what differs. */
export function unequalOf(title: string, replayed: readonly Replayed[]): Unequal {
  const found: Unequal = {}
  for (const { vector, differences } of replayed) {
    if (differences.length === 0) continue
    const name = classOf({ title, calls: [vector.call], differences })
    const known = (found[name] ??= { reason: reasonOf(name), ids: [] })
    known.ids.push(vector.id)
  }
  return found
}

const reasons: readonly [RegExp, string][] = [
  [/: status 2\d\d here, [45]/, 'a rule is missing here'],
  [/: status [45].* here, 2/, 'a rule here refuses what is accepted there'],
  [/: status [45].* here, [45]/, 'the refusal has another reason'],
  [/: body\.(message|details)/, 'the words or the causes of the refusal differ'],
  [/: headers\.warning/, 'warnings differ'],
  [/: body\.metadata\.managedFields/, 'other fields are owned'],
]

function reasonOf(name: string): string {
  return reasons.find(([form]) => form.test(name))?.[1] ?? 'the object is completed differently'
}
