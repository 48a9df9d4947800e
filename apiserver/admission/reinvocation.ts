import { isDeepStrictEqual } from 'node:util'
import type { ApiObject } from '../meta/types.ts'
import type { MutationRound } from './admissionPlugin.ts'

/**
 * State of one plugin's steps for one write across its two rounds. Steps that ran before a change
 * and ask for reinvocation run once more.
 * Source: Kubernetes, "Dynamic Admission Control", "Reinvocation policy".
 */
export class Reinvocation<Step> {
  /** Steps that ran and ask for reinvocation. */
  readonly #invoked = new Set<Step>()
  /** Steps that have to run once more, because a later step changed the object. */
  readonly #due = new Set<Step>()
  /** Object after the last step of this plugin. */
  #left: ApiObject | undefined

  /** State of `plugin` in this round. A change between the rounds affects all steps that ask for reinvocation. */
  static of<Step>(
    plugin: object,
    round: MutationRound,
    object: ApiObject | undefined,
  ): Reinvocation<Step> {
    const found = round.state.get(plugin) as Reinvocation<Step> | undefined // only set here
    const seen = found ?? new Reinvocation<Step>()
    round.state.set(plugin, seen)
    if (round.number === 1 && !isDeepStrictEqual(seen.#left, object)) seen.changed()
    return seen
  }

  /** Reports whether a step runs in this round. */
  isDue(step: Step, round: MutationRound): boolean {
    return round.number === 0 || this.#due.has(step)
  }

  /** Records a step that ran and asks for reinvocation. */
  ran(step: Step): void {
    this.#invoked.add(step)
  }

  /** Records a change of the object. */
  changed(): void {
    for (const step of this.#invoked) this.#due.add(step)
    this.#invoked.clear()
  }

  /** Records the object after the steps of this plugin. */
  leave(object: ApiObject | undefined): void {
    this.#left = structuredClone(object)
  }
}
