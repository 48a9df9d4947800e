import { badRequest, plainError } from '../../meta/statusErrors.ts'
import type { ApiObject } from '../../meta/types.ts'
import { wipeSystemMetadata } from '../../registry/metadataSteps.ts'
import type { UpdateRequest } from '../../registry/updateObject.ts'
import { bodyObject, reportFieldProblems } from '../bodyObject.ts'
import { checkCreatePermission } from '../createPermission.ts'
import { decodeReceived, receiveBody } from '../decodeBody.ts'
import { registryContext, type Exchange } from '../exchange.ts'
import { fieldManagement } from '../fieldManagement.ts'
import { checkObjectFormat, writeObject } from '../objectAnswer.ts'
import { checkOwnerPermission, stored } from '../ownerPermission.ts'
import type { Target } from '../target.ts'
import { writeOptions } from '../writeOptions.ts'

/** PUT: replaces the object, or creates it where the kind allows that. Source: reference 3.3. */
export async function handleUpdate(exchange: Exchange, target: Target): Promise<void> {
  const { resource, store, subresource } = target
  const { info } = exchange
  checkObjectFormat(exchange)
  const body = await receiveBody(exchange)
  const options = writeOptions(exchange, 'UpdateOptions')
  const { value, duplicates } = await decodeReceived(exchange, body, resource.kind)
  const { object, problems } = bodyObject(value, duplicates, resource)
  reportFieldProblems(problems, options.fieldValidation, exchange, resource)
  checkName(object, info.name)

  const { uid } = object.metadata
  if (createsMissing(target)) await checkCreatePermission(exchange, target)
  const management = fieldManagement(target, options)
  await checkOwnerPermission(exchange, resource, object, () => stored(target))
  const request: UpdateRequest = {
    transform: (old) => management.updated(old, structuredClone(object)),
    ...(uid === undefined ? {} : { uid }),
    ...(subresource === undefined ? {} : { strategy: subresource.strategy }),
    ...(createsMissing(target)
      ? { createMissing: () => management.updated(undefined, forCreation(object)) }
      : {}),
  }
  const written = await store.update(
    target.object,
    request,
    registryContext(exchange, options.dryRun),
  )
  await writeObject(exchange, resource, { bytes: written.bytes, code: written.created ? 201 : 200 })
}

function createsMissing({ resource, subresource }: Target): boolean {
  return subresource === undefined && resource.strategy.allowCreateOnUpdate === true
}

function forCreation(object: ApiObject): ApiObject {
  const copy = structuredClone(object)
  const version = copy.metadata.resourceVersion ?? ''
  if (/^\d+$/.test(version) && Number(version) > 0) {
    throw plainError('resourceVersion should not be set on objects to be created')
  }
  delete copy.metadata.resourceVersion
  wipeSystemMetadata(copy.metadata)
  return copy
}

/** Source: reference 1.16. */
export function checkName({ metadata }: ApiObject, urlName: string): void {
  const name = metadata.name ?? ''
  if (name === urlName) return
  if (name === '') {
    throw badRequest(
      `the name of the object (${urlName} based on URL) was undeterminable: name must be provided`,
    )
  }
  throw badRequest(
    `the name of the object (${name}) does not match the name on the URL (${urlName})`,
  )
}
