import { isDeepStrictEqual } from 'node:util'
import type { ApiObject } from '../meta/types.ts'
import type { MutationRound } from './admissionPlugin.ts'

/** Steps of one plugin for one write in its two rounds; those that ran before a change and ask for it run once more.
 *  Source: Kubernetes, "Dynamic Admission Control", "Reinvocation policy". */
export class Reinvocation<Step> {
  /** Steps that ran and ask to see later changes. */
  readonly #invoked = new Set<Step>()
  /** Steps that run once more, since later ones changed the object. */
  readonly #due = new Set<Step>()
  /** The object after the last of them. */
  #left: ApiObject | undefined

  /** The state of `plugin` in this round. A change between the rounds concerns all steps that ask for it. */
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

  /** Reports whether a step runs in this round. */
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

  /** Records the object after the steps of this plugin. */
  leave(object: ApiObject | undefined): void {
    this.#left = structuredClone(object)
  }
}
