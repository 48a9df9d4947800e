import { StatusError } from '../../meta/status.ts'
import { plainError } from '../../meta/statusErrors.ts'
import { formOf } from '../../registry/objectForm.ts'
import { listKindOf, type ResourceDefinition } from '../../registry/resource.ts'

/**
 * The error for list metadata requested for a single object. Source: seen on kube-apiserver 1.37.2.
 */
export function notAList(resource: ResourceDefinition): StatusError {
  if (!formOf(resource).isDecoded) return plainError('content is not a list')
  return misfit(
    `you requested PartialObjectMetadataList, but the requested object is not a list (*${goPackage(resource)}.${resource.kind})`,
  )
}

/** The error for object metadata requested for a list. Source: seen on kube-apiserver 1.37.2. */
export function isAList(resource: ResourceDefinition): StatusError {
  const type = formOf(resource).isDecoded
    ? `${goPackage(resource)}.${listKindOf(resource)}`
    : 'unstructured.UnstructuredList'
  return misfit(
    `you requested PartialObjectMetadata, but the requested object is a list (*${type})`,
  )
}

function misfit(message: string): StatusError {
  return new StatusError(406, 'NotAcceptable', message)
}

/** Package of the internal type, which is named after the group. */
function goPackage({ group }: ResourceDefinition): string {
  const [first = ''] = group.split('.')
  return first === '' || first === 'events' ? 'core' : first
}
