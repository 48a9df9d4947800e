import { isDeepStrictEqual } from 'node:util'
import type { ApiObject } from '../meta/types.ts'
import type { MutationRound } from './admissionPlugin.ts'

/** The steps of one plugin for one write in its two rounds; those that ran before a change, and want to, run once more.
 *  Source: Kubernetes, "Dynamic Admission Control", "Reinvocation policy". */
export class Reinvocation<Step> {
  /** Ran, and want to see what later ones change. */
  readonly #invoked = new Set<Step>()
  /** Later ones changed the object. */
  readonly #due = new Set<Step>()
  /** The object as the last of them left it. */
  #left: ApiObject | undefined

  /** The state of `plugin` in this round. A change between the rounds concerns all that want to see it. */
  static of<Step>(
    plugin: object,
    round: MutationRound,
    object: ApiObject | undefined,
  ): Reinvocation<Step> {
    const found = round.state.get(plugin) as Reinvocation<Step> | undefined // only kept here
    const seen = found ?? new Reinvocation<Step>()
    round.state.set(plugin, seen)
    if (round.number === 1 && !isDeepStrictEqual(seen.#left, object)) seen.changed()
    return seen
  }

  /** Whether a step runs in this round. */
  isDue(step: Step, round: MutationRound): boolean {
    return round.number === 0 || this.#due.has(step)
  }

  /** Records a step that ran and has to run again. */
  ran(step: Step): void {
    this.#invoked.add(step)
  }

  /** Notes that the object was changed. */
  changed(): void {
    for (const step of this.#invoked) this.#due.add(step)
    this.#invoked.clear()
  }

  /** Keeps the object as the steps of this plugin leave it. */
  leave(object: ApiObject | undefined): void {
    this.#left = structuredClone(object)
  }
}
