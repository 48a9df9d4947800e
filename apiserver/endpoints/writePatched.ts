import { isPrivileged } from '../authorization/privilegedGroup.ts'
import type { UpdateRequest } from '../registry/updateObject.ts'
import { registryContext, type Exchange } from './exchange.ts'
import { writeObject } from './objectAnswer.ts'
import { checkOwnerPermission, stored } from './ownerPermission.ts'
import type { Target } from './target.ts'
import type { WriteOptions } from './writeOptions.ts'

/** Stores what a patch makes of an object, and answers it. */
export async function writePatched(
  exchange: Exchange,
  target: Target,
  request: Pick<UpdateRequest, 'transform' | 'createMissing' | 'uid' | 'settle'>,
  { dryRun }: WriteOptions,
): Promise<void> {
  const { resource, store, object, subresource } = target
  // The patch is tried for its owner references alone, so not for those who may do everything.
  const old = isPrivileged(exchange.user) ? undefined : stored(target)
  if (old !== undefined) {
    await checkOwnerPermission(exchange, resource, request.transform(old), () => old)
  }
  const update =
    subresource === undefined ? request : { ...request, strategy: subresource.strategy }
  const { bytes, created } = await store.update(object, update, registryContext(exchange, dryRun))
  await writeObject(exchange, resource, { bytes, code: created ? 201 : 200 })
}
