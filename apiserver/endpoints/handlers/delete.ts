import { warnOfDependents } from '../../registry/write/deleteOptions.ts'
import { readDeleteOptions } from '../body/deleteOptionsBody.ts'
import type { Exchange } from '../exchange.ts'
import { outputOf, writeObject } from '../response/objectResponse.ts'
import { successStatus, writeValue } from '../response/response.ts'
import { reviewedDeletion } from '../write/clientReview.ts'
import type { Target } from '../target.ts'

/** Handles DELETE of an object. Source: reference 3.5. */
export async function handleDelete(
  exchange: Exchange,
  { resource, store, object }: Target,
): Promise<void> {
  // Negotiated first, although the response is a Status in most cases.
  outputOf(exchange)
  const options = await readDeleteOptions(exchange)
  const context = reviewedDeletion(exchange, options)
  warnOfDependents(options, resource.strategy, context)
  const deleted = await store.delete(object, options, context)
  if (!deleted.isGone || resource.strategy.deletion?.returnsObject === true) {
    const code = !deleted.isGone && options.orphanDependents === false ? 202 : 200
    await writeObject(exchange, resource, { bytes: deleted.bytes, code })
    return
  }
  const { uid } = deleted.object.metadata
  const status = successStatus({
    name: exchange.info.name,
    ...(resource.group === '' ? {} : { group: resource.group }),
    kind: resource.plural,
    ...(uid === undefined ? {} : { uid }),
  })
  await writeValue(exchange, status, { code: 200, format: outputOf(exchange) })
}
