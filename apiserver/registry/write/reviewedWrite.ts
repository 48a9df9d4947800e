import type { ApiObject } from '../../meta/types.ts'
import type { AdmissionRequest, AdmissionSteps } from '../admission.ts'
import type { AdmissionOperation } from '../review.ts'
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
  // A single literal, completed later: copies would cost more than all steps of a kind that has few.
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

  async deleted(old: ApiObject, { name, namespace }: ObjectName): Promise<void> {
    const request = this.#request
    request.namespace = namespace
    request.name = request.review.isCollection === true ? '' : name
    request.oldObject = old
    await this.#steps.mutate?.(request)
    await this.#steps.validate?.(request)
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
