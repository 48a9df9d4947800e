import type { ResourceDefinition } from '../apiserver/registry/resource.ts'
import { mediaTypes } from './mediaTypes.ts'
import type { OperationVerb } from './operationMakers.ts'
import { listParameters, resourceVersion } from './parameters.ts'
import type { Operation } from './route.ts'

const { objects } = mediaTypes(false)

const own: Readonly<Partial<Record<OperationVerb, Partial<Operation>>>> = {
  get: { parameters: [resourceVersion] },
  // Published with the parameters of a list and without a body, though it reads both.
  deletecollection: { parameters: listParameters },
}

/**
 * Operation of a custom kind, which the API publishes differently: fewer media types, one response to a patch, scale as
 * the scaled kind. Source: `/openapi/v2` of kube-apiserver 1.37.2.
 */
export function customOperation(
  verb: OperationVerb,
  operation: Operation,
  { group, version, kind }: ResourceDefinition,
): Operation {
  const { body, responses, ...rest } = operation
  const { 200: answer = {} } = responses
  return {
    ...rest,
    ...(verb === 'patch' ? {} : { consumes: objects }),
    produces: objects,
    responses: verb === 'patch' ? { 200: answer } : responses,
    groupVersionKind: { group, version, kind },
    ...(body === undefined || verb === 'deletecollection' ? {} : { body }),
    ...own[verb],
  }
}
