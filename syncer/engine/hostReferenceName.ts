import {
  hostObjectName,
  hostServiceName,
  nameForm,
  type Naming,
  type ObjectName,
} from '../names/naming.ts'
import type { ObjectReference } from '../patches/references.ts'

/** Name and namespace of a referenced object on the host. */
export function hostReferenceName(
  reference: ObjectReference,
  naming: Naming,
): ObjectName | undefined {
  const { kind, apiVersion } = reference
  const isService = apiVersion === 'v1' && (kind === 'Service' || kind === 'Endpoints')
  return isService
    ? hostServiceName(reference, naming)
    : hostObjectName(reference, naming, nameForm(apiVersion))
}
