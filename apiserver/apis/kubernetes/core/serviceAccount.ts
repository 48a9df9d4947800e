import type { ApiObject } from '../../../meta/types.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../../registry/table.ts'
import { tokenSubresource } from '../authentication/tokenRequest.ts'
import { builtInKind, type KindContext } from '../builtInKind.ts'

/** Definition of the ServiceAccount kind. Source: Kubernetes API reference, ServiceAccount v1. */
export function serviceAccountResource(context: KindContext): ResourceDefinition {
  return builtInKind(context.types, {
    group: '',
    version: 'v1',
    plural: 'serviceaccounts',
    kind: 'ServiceAccount',
    namespaced: true,
    shortNames: ['sa'],
    description: 'ServiceAccount is an identity for processes.',
    strategy: {
      generation: 'none',
      deletion: { returnsObject: true },
      prepareForCreate: keepSecretNames,
      prepareForUpdate: keepSecretNames,
      warningsOnCreate: (object) => mountWarnings(object),
      warningsOnUpdate: mountWarnings,
    },
    subresources: [tokenSubresource(context)],
    columns: [nameColumn, ageColumn],
  })
}

/** Reduces the secret references of an account to names. */
function keepSecretNames(object: ApiObject): void {
  // Guaranteed by the schema.
  const secrets = object['secrets'] as { name?: string }[] | undefined
  if (secrets === undefined) return
  object['secrets'] = secrets.map(({ name }) => (name === undefined ? {} : { name }))
}

const mountAnnotation = 'kubernetes.io/enforce-mountable-secrets'
const mountText =
  'deprecated in v1.32+; prefer separate namespaces to isolate access to mounted secrets'

/** Warnings about a new annotation for mountable secrets, which is deprecated. Source: seen on kube-apiserver 1.37.2. */
function mountWarnings({ metadata }: ApiObject, old?: ApiObject): string[] {
  const hadIt = old?.metadata.annotations?.[mountAnnotation] !== undefined
  if (hadIt || metadata.annotations?.[mountAnnotation] === undefined) return []
  return [`metadata.annotations[${mountAnnotation}]: ${mountText}`]
}
