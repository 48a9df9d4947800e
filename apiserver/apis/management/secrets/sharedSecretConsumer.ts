import { withCondition } from '../../../meta/condition.ts'
import { managementGroup } from '../../../meta/names/namesProfile.ts'
import type { StatusError } from '../../../meta/status.ts'
import { notFound } from '../../../meta/statusErrors.ts'
import type { ApiObject, UserInfo } from '../../../meta/types.ts'
import type { Strategy } from '../../../registry/strategy.ts'
import type { DataMap } from '../../kubernetes/core/configData.ts'
import { secretData } from './secretShape.ts'
import { SharedSecretMarks, type Grantor } from './sharedSecretReference.ts'
import { mayTake, takingCondition, type TakingParts } from './usesSharedSecret.ts'

/** The result for an object that references a shared secret. */
interface Outcome {
  source: string
  isReady: boolean
  reason: string
  message: string
  data: 'keep' | 'none' | DataMap
  uid?: string
}

export interface ConsumerParts extends TakingParts {
  /** The current identity of a grantor; undefined: it no longer exists. */
  identify: (grantor: Grantor) => UserInfo | undefined
  strategy: Strategy
}

/**
 * Copies shared secrets into the objects of one kind.
 *
 * Data is copied as long as the user who set the labels may read the shared secret. Otherwise, the
 * object keeps its data without updates. If the shared secret is deleted, its data is removed and
 * the object stays; the object's own data is never removed because of a missing shared secret.
 */
export class SharedSecretTaker {
  readonly word: string
  readonly strategy: Strategy
  readonly #parts: ConsumerParts
  readonly #marks: SharedSecretMarks

  constructor(parts: ConsumerParts) {
    this.#parts = parts
    this.#marks = new SharedSecretMarks(parts.names)
    this.word = `"${this.#marks.nameLabel}"`
    this.strategy = parts.strategy
  }

  source(object: ApiObject): string | undefined {
    const reference = this.#marks.reference(object)
    return reference && `${reference.namespace}/${reference.name}`
  }

  async isAllowed(object: ApiObject): Promise<boolean> {
    const { access, names, identify } = this.#parts
    const reference = this.#marks.reference(object)
    const grantor = this.#marks.grantor(object)
    const user = grantor && identify(grantor)
    if (reference === undefined || user === undefined) return false
    return mayTake(access, names, user, reference)
  }

  outcome(
    object: ApiObject,
    { isAllowed, sharedSecret }: { isAllowed: boolean; sharedSecret: ApiObject | undefined },
  ): Outcome {
    const source = this.source(object) ?? ''
    const taken = this.#marks.taken(object)
    const uid = sharedSecret?.metadata.uid
    if (isAllowed && sharedSecret !== undefined && uid !== undefined) {
      const message = `The data is that of the shared secret ${source}.`
      const data = secretData(sharedSecret)
      return { source, isReady: true, reason: 'Synced', message, data, uid }
    }
    const isKept = taken === undefined || taken === uid
    return {
      source,
      isReady: false,
      ...(isAllowed ? this.#notFound(object) : forbidden(source)),
      data: isKept ? 'keep' : 'none',
      ...(isKept && taken !== undefined ? { uid: taken } : {}),
    }
  }

  refused(outcome: Outcome, why: StatusError): Outcome {
    const { uid: _, ...rest } = outcome
    return { ...rest, isReady: false, reason: why.reason, message: why.message, data: 'keep' }
  }

  applied(newest: ApiObject, outcome: Outcome, nowMs: number): ApiObject {
    if (this.source(newest) !== outcome.source) return newest
    const { form } = this.#parts
    const { data, uid, isReady, reason, message } = outcome
    const filled = this.#filled(newest, data)
    const noted = data === 'keep' ? filled : this.#marks.withTaken(filled, uid)
    const condition = {
      type: takingCondition,
      status: isReady ? ('True' as const) : ('False' as const),
      ...(isReady ? {} : { severity: 'Error' as const }),
      reason,
      message,
    }
    return form.withConditions(noted, withCondition(form.conditions(noted), condition, nowMs))
  }

  #filled(newest: ApiObject, data: Outcome['data']): ApiObject {
    const { form } = this.#parts
    if (data === 'keep') return newest
    return data === 'none' ? form.emptied(newest) : form.withData(newest, data)
  }

  #notFound(object: ApiObject): { reason: string; message: string } {
    const resource = { group: managementGroup(this.#parts.names), resource: 'sharedsecrets' }
    const { name = '' } = this.#marks.reference(object) ?? {}
    return { reason: 'NotFound', message: notFound(resource, name).message }
  }
}

function forbidden(source: string): { reason: string; message: string } {
  const message = `The last writer of the labels may neither get nor use the shared secret ${source}.`
  return { reason: 'Forbidden', message }
}
