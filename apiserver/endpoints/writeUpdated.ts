import type { UpdateRequest } from '../registry/updateObject.ts'
import { registryContext, type Exchange } from './exchange.ts'
import { writeObject } from './objectAnswer.ts'
import { ownerPermission } from './ownerPermission.ts'
import type { Target } from './target.ts'
import type { WriteOptions } from './writeOptions.ts'

/** Stores what an update or a patch makes of an object, and answers it. */
export async function writeUpdated(
  exchange: Exchange,
  { resource, store, object, subresource }: Target,
  request: Pick<
    UpdateRequest,
    'transform' | 'createMissing' | 'uid' | 'resourceVersion' | 'settle'
  >,
  { dryRun }: WriteOptions,
): Promise<void> {
  const update: UpdateRequest = {
    ...request,
    authorize: ownerPermission(exchange, resource),
    ...(subresource === undefined ? {} : { strategy: subresource.strategy }),
  }
  const { bytes, created } = await store.update(object, update, registryContext(exchange, dryRun))
  await writeObject(exchange, resource, { bytes, code: created ? 201 : 200 })
}
