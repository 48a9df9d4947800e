import type { AdmissionOperation, Review } from '../../registry/review.ts'
import type { DeleteOptions } from '../../registry/write/deleteOptions.ts'
import type { RequestContext } from '../../registry/strategy.ts'
import { registryContext, type Exchange } from '../exchange.ts'

const meta = { apiVersion: 'meta.k8s.io/v1' }

/** Context of a write that admission reviews. */
export function reviewedContext(exchange: Exchange, dryRun: boolean): RequestContext {
  return registryContext(exchange, dryRun, clientReview(exchange))
}

/** The context of a deletion that admission reviews. */
export function reviewedDeletion(
  exchange: Exchange,
  { dryRun = [], ...rest }: DeleteOptions,
  isCollection = false,
): RequestContext {
  const options = {
    kind: 'DeleteOptions',
    ...meta,
    ...rest,
    ...(dryRun.length > 0 ? { dryRun } : {}),
  }
  const review = new DeletionReview(exchange, options, isCollection)
  return registryContext(exchange, dryRun.length > 0, review)
}

/** Admission review of a request, without its object. */
export function clientReview(exchange: Exchange): Review {
  return new ClientReview(exchange)
}

class ClientReview implements Review {
  readonly #exchange: Exchange
  #controller: AbortController | undefined

  constructor(exchange: Exchange) {
    this.#exchange = exchange
  }

  options(operation: AdmissionOperation): Record<string, unknown> | null {
    return writtenOptions(this.#exchange, operation)
  }

  annotate(key: string, value: string): void {
    this.#exchange.audit?.annotate(key, value)
  }

  signal(): AbortSignal {
    if (this.#controller === undefined) {
      const made = (this.#controller = new AbortController())
      this.#exchange.onFinish(() => made.abort())
    }
    return this.#controller.signal
  }
}

class DeletionReview extends ClientReview {
  readonly isCollection: boolean
  readonly #options: Record<string, unknown>

  constructor(exchange: Exchange, options: Record<string, unknown>, isCollection: boolean) {
    super(exchange)
    this.#options = options
    this.isCollection = isCollection
  }

  override options(): Record<string, unknown> {
    return this.#options
  }
}

const kinds = { CREATE: 'CreateOptions', UPDATE: 'UpdateOptions', DELETE: 'DeleteOptions' } as const

/** Options of the query in the form of the API; a patch has the options of an update. */
function writtenOptions(
  { query }: Exchange,
  operation: AdmissionOperation,
): Record<string, unknown> | null {
  if (operation === 'CONNECT') return null
  const dryRun = query.getAll('dryRun')
  const manager = query.get('fieldManager') ?? ''
  const validation = query.get('fieldValidation') ?? ''
  return {
    kind: kinds[operation],
    ...meta,
    ...(dryRun.length > 0 ? { dryRun } : {}),
    ...(manager === '' ? {} : { fieldManager: manager }),
    ...(validation === '' ? {} : { fieldValidation: validation }),
  }
}
