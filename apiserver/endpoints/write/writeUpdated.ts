import type { UpdateRequest } from '../../registry/write/updateObject.ts'
import { checkCreatePermission } from './createPermission.ts'
import { reviewedContext } from './clientReview.ts'
import type { Exchange } from '../exchange.ts'
import { writeObject } from '../response/objectResponse.ts'
import { ownerPermission } from './ownerPermission.ts'
import type { Target } from '../target.ts'
import type { WriteOptions } from './writeOptions.ts'

/** Stores the result of an update or a patch, and responds with it. */
export async function writeUpdated(
  exchange: Exchange,
  target: Target,
  request: Pick<
    UpdateRequest,
    'transform' | 'createMissing' | 'uid' | 'resourceVersion' | 'settle' | 'found'
  >,
  { dryRun }: WriteOptions,
): Promise<void> {
  const { resource, store, object, subresource } = target
  const checkOwners = ownerPermission(exchange, resource)
  const update: UpdateRequest = {
    ...request,
    authorize: (next, old) => {
      const mayOwn = () => checkOwners(next, old)
      return old === undefined ? checkCreatePermission(exchange, target).then(mayOwn) : mayOwn()
    },
    ...(subresource === undefined
      ? {}
      : { strategy: subresource.strategy, subresource: subresource.name }),
  }
  const { bytes, created } = await store.update(object, update, reviewedContext(exchange, dryRun))
  await writeObject(exchange, resource, { bytes, code: created ? 201 : 200 })
}
