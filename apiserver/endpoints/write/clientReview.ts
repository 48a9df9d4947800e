import type { AdmissionOperation, Review } from '../../registry/review.ts'
import type { DeleteOptions } from '../../registry/deleteOptions.ts'
import type { RequestContext } from '../../registry/strategy.ts'
import { registryContext, type Exchange } from '../exchange.ts'

const meta = { apiVersion: 'meta.k8s.io/v1' }

/** The context of a write that admission reviews. */
export function reviewedContext(exchange: Exchange, dryRun: boolean): RequestContext {
  return { ...registryContext(exchange, dryRun), review: clientReview(exchange) }
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
  const review = { ...clientReview(exchange), options: () => options, isCollection }
  return { ...registryContext(exchange, dryRun.length > 0), review }
}

/** Review of a request for admission, besides its object. */
export function clientReview(exchange: Exchange): Review {
  let controller: AbortController | undefined
  return {
    options: (operation) => writtenOptions(exchange, operation),
    annotate: (key, value) => exchange.audit?.annotate(key, value),
    signal: () => {
      if (controller === undefined) {
        const made = (controller = new AbortController())
        exchange.onFinish(() => made.abort())
      }
      return controller.signal
    },
  }
}

const kinds = { CREATE: 'CreateOptions', UPDATE: 'UpdateOptions', DELETE: 'DeleteOptions' } as const

/** The options of the query as the API has them; a patch has those of an update. */
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
