import type { ApiObject } from '../../meta/types.ts'
import type { AdmissionRequest, AdmissionSteps } from '../admission.ts'
import type { AdmissionOperation } from '../review.ts'
import type { DeleteDecision } from './beforeDelete.ts'
import { matchNamespace } from './metadataSteps.ts'
import type { ResourceDefinition } from '../resource.ts'
import type { ObjectName, StoreOptions } from '../storeTypes.ts'
import type { RequestContext } from '../strategy.ts'

interface ReviewingStore {
  resource: ResourceDefinition
  options: Pick<StoreOptions, 'admission'>
}

/** Review of one write; undefined: not reviewed. */
export function reviewOf(
  { resource, options: { admission } }: ReviewingStore,
  operation: AdmissionOperation,
  context: RequestContext,
  subresource = '',
): ReviewedWrite | undefined {
  const { review } = context
  if (admission === undefined || review === undefined) return undefined
  // A single literal, completed later: copies would cost more than all steps of a kind with few
  // steps.
  const request: AdmissionRequest = {
    operation,
    resource,
    subresource,
    kind: resource,
    namespace: '',
    name: '',
    object: undefined,
    oldObject: undefined,
    context,
    review,
  }
  const steps = admission.stepsOf(request)
  return steps && new ReviewedWrite(steps, request)
}

/** Write of a client on its way through admission. */
export class ReviewedWrite {
  readonly #steps: AdmissionSteps
  /** Request of this write, shared by its steps. */
  readonly #request: AdmissionRequest

  constructor(steps: AdmissionSteps, request: AdmissionRequest) {
    this.#steps = steps
    this.#request = request
  }

  /** The object after admission. */
  mutated(object: ApiObject, old?: ApiObject): ApiObject | Promise<ApiObject> {
    const { mutate } = this.#steps
    if (mutate === undefined) return object
    const request = this.#requestOf(object, old)
    const result = () => {
      const next = request.object ?? object
      if (next !== object) matchNamespace(next.metadata, request.namespace)
      return next
    }
    const pending = mutate(request)
    return pending instanceof Promise ? pending.then(result) : result()
  }

  validated(object: ApiObject, old: ApiObject | undefined): void | Promise<void> {
    return this.#steps.validate?.(this.#requestOf(object, old))
  }

  /** Charges the write in its own turn. */
  charged(object: ApiObject, old: ApiObject | undefined): Promise<unknown> | undefined {
    return this.#steps.charge?.(this.#requestOf(object, old))
  }

  /**
   * Reviews a deletion with the effect that `decide` returns. Reviewers see the grace period that
   * the kind has decided. Source: apiserver, generic registry, BeforeDelete changes the options in
   * place. @throws StatusError of a reviewer.
   */
  async deleted(
    old: ApiObject,
    { name, namespace }: ObjectName,
    decision: DeleteDecision,
  ): Promise<void> {
    if (isPending(decision, old)) return
    const request = this.#request
    request.namespace = namespace
    request.name = request.review.isCollection === true ? '' : name
    request.oldObject = old
    // Kinds without a grace period leave the options as they were sent.
    if (request.resource.strategy.deletion?.graceSeconds !== undefined) {
      const { deletionGracePeriodSeconds: grace } = markedBy(decision)?.metadata ?? {}
      if (grace !== undefined) request.graceSeconds = grace
    }
    await this.#reviewDeletion()
  }

  /**
   * Reviews the removal of an object after it was marked by its deletion, after `deleted`. Source:
   * apiserver, generic registry, Store.Delete validates before each of its two writes.
   */
  async removed(marked: ApiObject, revision: number): Promise<void> {
    const metadata = { ...marked.metadata, resourceVersion: String(revision) }
    this.#request.oldObject = { ...marked, metadata }
    await this.#reviewDeletion()
  }

  async #reviewDeletion(): Promise<void> {
    await this.#steps.mutate?.(this.#request)
    await this.#steps.validate?.(this.#request)
  }

  #requestOf(object: ApiObject, oldObject: ApiObject | undefined): AdmissionRequest {
    const { name = '', namespace = '' } = (oldObject ?? object).metadata
    const request = this.#request
    request.name = name
    request.namespace = namespace
    request.object = object
    request.oldObject = oldObject
    return request
  }
}

/** State that a deletion stores before it removes the object. */
function markedBy(decision: DeleteDecision): ApiObject | undefined {
  if (decision.act === 'mark') return decision.object
  return decision.act === 'remove' ? decision.marked : undefined
}

/**
 * Reports whether a deletion changes nothing because a grace period has started: no reviewer is
 * called.
 */
function isPending({ act }: DeleteDecision, { metadata }: ApiObject): boolean {
  return act === 'wait' && (metadata.deletionGracePeriodSeconds ?? 0) > 0
}
