import { invalidField, requiredField, type FieldError } from '../../../meta/fieldErrors.ts'
import { subdomainErrors } from '../../../meta/names/nameValidation.ts'
import type { ApiObject } from '../../../meta/types.ts'
import { qualifiedFinalizerErrors } from '../../../registry/write/metadataValidation.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../../registry/table.ts'
import { canonicalAddress } from '../../addressChecks.ts'
import { cellColumn } from '../../columns.ts'
import { fixed, optionalName, pathSegment } from '../../fieldChecks.ts'
import { builtInKind, type KindContext } from '../builtInKind.ts'
import type { ParentReference } from '../shapes/networkingV1.ts'

/** Definition of the IPAddress kind. Source: Kubernetes API reference, IPAddress v1; seen on kube-apiserver 1.37.2. */
export function ipAddressResource({ types }: KindContext): ResourceDefinition {
  return builtInKind(types, {
    group: 'networking.k8s.io',
    version: 'v1',
    plural: 'ipaddresses',
    kind: 'IPAddress',
    namespaced: false,
    shortNames: ['ip'],
    description: 'IPAddress reserves an address for the object that uses it.',
    strategy: {
      nameRule: 'own',
      hasSuffixes: false,
      generation: 'none',
      // An update reports them in place. Source: seen on kube-apiserver 1.37.2.
      declaredErrors: ['spec.parentRef.resource', 'spec.parentRef.name'].map((field) => ({
        field,
        reasons: ['FieldValueRequired'],
        isRun: () => false,
      })),
      // A missing reference does not suppress other errors.
      validateAfter: ({ metadata, schema }, next, old) => [
        ...(old === undefined ? nameErrors(next) : []),
        ...metadata,
        ...(old === undefined ? [] : nameErrors(next)),
        ...qualifiedFinalizerErrors(next.metadata),
        ...schema.filter(({ field }) => field !== 'spec.parentRef'),
        ...parentErrors(parentOf(next)),
        ...(old === undefined ? [] : fixed('spec.parentRef', parentOf(next), parentOf(old))),
      ],
    },
    columns: [
      nameColumn,
      cellColumn('ParentRef', 'Object that uses the address.', parentText),
      { ...ageColumn, isUndefined: true },
    ],
  })
}

function parentOf(object: ApiObject): ParentReference | undefined {
  // Guaranteed by the schema; the store gives every object a spec.
  return (object['spec'] as { parentRef?: ParentReference } | undefined)?.parentRef
}

/** Errors for the name, which is the address. */
function nameErrors({ metadata }: ApiObject): FieldError[] {
  return (['generateName', 'name'] as const).flatMap((field) => {
    const { [field]: name = '' } = metadata
    const path = `metadata.${field}`
    if (name === '') return []
    return canonicalAddress(path, name).map(({ message }) =>
      invalidField(path, name, message.slice(message.indexOf(': must') + 2)),
    )
  })
}

function parentErrors(parent: ParentReference | undefined): FieldError[] {
  const path = 'spec.parentRef'
  if (parent === undefined) return [requiredField(path)]
  const { group, resource, name, namespace = '' } = parent
  return [
    ...optionalName(`${path}.group`, group, subdomainErrors),
    ...pathSegment(`${path}.resource`, resource),
    ...pathSegment(`${path}.name`, name),
    ...(namespace === '' ? [] : pathSegment(`${path}.namespace`, namespace)),
  ]
}

function parentText(object: ApiObject): string {
  const parent = parentOf(object)
  if (parent === undefined) return '<none>'
  const { group = '', resource = '', name = '', namespace = '' } = parent
  const kind = (group === '' ? resource : `${resource}.${group}`).toLowerCase()
  return [kind, ...(namespace === '' ? [] : [namespace]), name].join('/')
}
