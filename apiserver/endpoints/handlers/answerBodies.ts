import { invalid } from '../../meta/statusErrors.ts'
import type { ApiObject } from '../../meta/types.ts'
import type { ResourceDefinition } from '../../registry/resource.ts'
import { schemaValidatorOf } from '../../registry/schema/schemaValidator.ts'
import { bodyObject, reportFieldProblems, type BodyObject } from '../body/bodyObject.ts'
import { decodeReceived, receiveBody } from '../body/decodeBody.ts'
import { nextTurn, type Exchange } from '../exchange.ts'
import type { WriteOptions } from '../write/writeOptions.ts'

/** Reads the object in a request body and validates it by the schema. @throws StatusError. */
export async function sentObject(
  exchange: Exchange,
  resource: ResourceDefinition,
  options: WriteOptions,
): Promise<ApiObject> {
  const received = await receiveBody(exchange)
  const { value, duplicates, hasLiterals } = await decodeReceived(exchange, received, resource.kind)
  await nextTurn(exchange, received.body.length)
  const origin = { resources: exchange.plane.resources, bytes: received.body, hasLiterals }
  return checkedObject(exchange, bodyObject(value, duplicates, resource, origin), resource, options)
}

/** Validates an object from a body or a patch by the schema. @throws StatusError. */
export async function checkedObject(
  exchange: Exchange,
  { object, problems }: BodyObject,
  resource: ResourceDefinition,
  { fieldValidation }: WriteOptions,
): Promise<ApiObject> {
  reportFieldProblems(problems, fieldValidation, exchange, resource)
  const check = await schemaValidatorOf(resource).load()
  const errors = check(object)
  if (errors.length > 0) throw invalid(resource, object.metadata.name ?? '', errors)
  return object
}
