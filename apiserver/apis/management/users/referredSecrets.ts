import { managementGroup, type NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { ApiObject, GroupResource } from '../../../meta/types.ts'
import { defaultPasswordRef } from './passwordSecret.ts'

/** Reference to a Secret, of a given kind or of the core group. */
export interface SecretReference {
  kind?: string
  secretName?: string
  secretNamespace?: string
  key?: string
}

/** A referenced Secret, with the verbs that the server uses on behalf of the object's user. */
export interface ReferredSecret extends GroupResource {
  namespace: string
  name: string
  verbs: readonly string[]
}

interface ReferringSpec {
  passwordRef?: SecretReference
  codesRef?: SecretReference
  config?: SecretReference
  imagePullSecrets?: SecretReference[]
}

/** The Secrets referenced by a User, Team or Cluster, except for the default location of a user's password. */
export function referredSecrets(object: ApiObject, names: NamesProfile): ReferredSecret[] {
  // Guaranteed by the schemas of the kinds.
  const spec: ReferringSpec = object['spec'] ?? {}
  const { passwordRef, codesRef, config } = spec
  const written = [isDefault(object, passwordRef, names) ? undefined : passwordRef, codesRef]
  return [
    ...written.flatMap((reference) => referred(reference, ['get', 'update'], names)),
    ...referred(config, ['get'], names),
    ...pullSecrets(object, names),
  ]
}

/** The Secrets that a user or the members of a team may use to pull images. */
export function pullSecrets(object: ApiObject, names: NamesProfile): ReferredSecret[] {
  // Guaranteed by the schemas of users and teams.
  const { imagePullSecrets = [] }: ReferringSpec = object['spec'] ?? {}
  return imagePullSecrets.flatMap((reference) => referred(reference, ['get'], names))
}

/** Resource for referenced Secrets of this kind; undefined: not served. */
function secretResourceOf(
  kind: string | undefined,
  names: NamesProfile,
): GroupResource | undefined {
  if (kind === undefined || kind === '' || kind === 'Secret') {
    return { group: '', resource: 'secrets' }
  }
  const resource = { SharedSecret: 'sharedsecrets', ProjectSecret: 'projectsecrets' }[kind]
  return resource === undefined ? undefined : { group: managementGroup(names), resource }
}

function referred(
  reference: SecretReference | undefined,
  verbs: readonly string[],
  names: NamesProfile,
): ReferredSecret[] {
  const { kind, secretName: name = '', secretNamespace: namespace = '' } = reference ?? {}
  const resource = secretResourceOf(kind, names)
  return name === '' || resource === undefined ? [] : [{ ...resource, namespace, name, verbs }]
}

function isDefault(
  { metadata: { name = '' } }: ApiObject,
  reference: SecretReference | undefined,
  names: NamesProfile,
): boolean {
  const { secretName, secretNamespace, key } = defaultPasswordRef(name, names)
  return (
    reference?.secretName === secretName &&
    reference.secretNamespace === secretNamespace &&
    (reference.key ?? key) === key
  )
}
