import { managementGroup, type NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { ApiObject, GroupResource } from '../../../meta/types.ts'
import { defaultPasswordRef } from './passwordSecret.ts'

/** A reference to a Secret, of a given kind or of the core group. */
export interface SecretReference {
  kind?: string
  secretName?: string
  secretNamespace?: string
  key?: string
}

/** A Secret that an object refers to, with what the server does with it for whoever the object is of. */
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

/** The Secrets that a User, Team or Cluster refers to, but for the place that a user's password has without a reference. */
export function referredSecrets(object: ApiObject, names: NamesProfile): ReferredSecret[] {
  // The schemas of the kinds say so.
  const spec: ReferringSpec = object['spec'] ?? {}
  const { passwordRef, codesRef, config } = spec
  const written = [isDefault(object, passwordRef, names) ? undefined : passwordRef, codesRef]
  return [
    ...written.flatMap((reference) => referred(reference, ['get', 'update'], names)),
    ...referred(config, ['get'], names),
    ...pullSecrets(object, names),
  ]
}

/** Those that a user or the members of a team may use to pull images. */
export function pullSecrets(object: ApiObject, names: NamesProfile): ReferredSecret[] {
  // The schemas of users and teams say so.
  const { imagePullSecrets = [] }: ReferringSpec = object['spec'] ?? {}
  return imagePullSecrets.flatMap((reference) => referred(reference, ['get'], names))
}

/** The resource of the Secrets that a reference of this kind means; undefined: of none that are served here. */
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
