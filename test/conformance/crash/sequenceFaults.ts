import type { SeenEvent } from './follower.ts'
import type { Shown } from './ledger.ts'

/** Differences between a replayed state and the server's list. */
export function stateFaults(
  replayed: ReadonlyMap<string, Shown>,
  listed: ReadonlyMap<string, Shown>,
): string[] {
  const names = new Set([...replayed.keys(), ...listed.keys()])
  return [...names].flatMap((name) => {
    const [a, b] = [replayed.get(name), listed.get(name)].map((shown) => JSON.stringify(shown))
    return a === b ? [] : [`${name}: replayed ${a}, listed ${b}`]
  })
}

/** Differences between two sequences of a round, and acknowledged writes missing from the first. */
export function sequenceFaults(
  sequence: readonly SeenEvent[],
  other: readonly SeenEvent[],
  written: ReadonlyMap<number, { name: string; seal: string }>,
): string[] {
  const lines = sequence.map(lineOf)
  const first = lines.findIndex((line, i) => line !== lineOf(other[i]))
  const wrong =
    first === -1 && lines.length === other.length
      ? []
      : [`a watcher saw ${lines.at(first)} where another saw ${lineOf(other.at(first))}`]
  const seen = new Map(sequence.map((event) => [event.revision, event]))
  const missing = [...written].filter(([revision, { name, seal }]) => {
    const event = seen.get(revision)
    return event?.name !== name || event.seal !== seal
  })
  return [
    ...wrong,
    ...missing.map(([revision, { name }]) => `no watch event for ${name} at ${revision}`),
  ]
}

function lineOf(event: SeenEvent | undefined): string {
  if (event === undefined) return 'nothing'
  return `${event.type} ${event.name} ${event.seal} at ${event.revision}`
}
