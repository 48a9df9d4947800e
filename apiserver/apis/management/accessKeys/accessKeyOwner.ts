import { accountAnnotation } from '../../../authentication/accessKeys/keyAccount.ts'
import { serviceAccountNamed } from '../../../authentication/tokens/serviceAccountClaims.ts'
import {
  generationAnnotation,
  isTokenType,
} from '../../../authentication/accessKeys/tokenGeneration.ts'
import { managementGroup, type NamesProfile } from '../../../meta/names/namesProfile.ts'
import {
  groupVersionString,
  type ApiObject,
  type GroupResource,
  type OwnerReference,
} from '../../../meta/types.ts'
import type { ObjectName } from '../../../registry/storeTypes.ts'
import type { PlaneAccess } from '../../planeAccess.ts'
import { objectIfAny } from '../../storeReads.ts'
import { specOf } from './accessKeySpec.ts'

/** What a key remembers of the user, team or service account that it is for. */
export class AccessKeyOwner {
  readonly #names: NamesProfile
  readonly #access: PlaneAccess

  constructor(names: NamesProfile, access: PlaneAccess) {
    this.#names = names
    this.#access = access
  }

  /** Notes all of it in a new key, or in one that was `old`. Changes `key`. */
  remember(key: ApiObject, old?: ApiObject): void {
    this.#refer(key, old)
    this.#noteGeneration(key, old)
    this.#noteAccount(key, old)
  }

  /** Makes the owner's object the controller of the key, so that the key goes with it, where the object exists. The
   *  controller is whom the key is for: another one of that name that is made later is not, and nobody else is one.
   *  Source: platform facts 7.3. */
  #refer(key: ApiObject, old: ApiObject | undefined): void {
    const owner = this.#noted(key, old) ?? this.#newReference(key)
    const { ownerReferences = [] } = key.metadata
    const others = ownerReferences
      .filter((reference) => !this.#isOfOwner(reference))
      .map(({ controller: _, ...reference }) => reference)
    const next = owner === undefined ? others : [...others, owner]
    if (next.length > 0) key.metadata.ownerReferences = next
    else delete key.metadata.ownerReferences
  }

  /** What the key referred to before, if it is for the same. */
  #noted(key: ApiObject, old: ApiObject | undefined): OwnerReference | undefined {
    const of = ({ user = '', team = '' } = specOf(key)): string => JSON.stringify([user, team])
    if (old === undefined || of(specOf(old)) !== of()) return undefined
    return old.metadata.ownerReferences?.find((reference) => this.#isOfOwner(reference))
  }

  #newReference(key: ApiObject): OwnerReference | undefined {
    const owner = this.#ownerOf(key)
    return owner && reference(owner)
  }

  /** Notes under which token generation of its user a login's key is made: now, or when `old` was.
   *  Source: specification, "Authentication" 6. */
  #noteGeneration(key: ApiObject, old: ApiObject | undefined): void {
    const annotation = generationAnnotation(this.#names)
    note(key, annotation, this.#generationOf(key, old, annotation))
  }

  /** Notes which account a key is for whose subject is a service account: another one of its name that is made later is
   *  not its own. */
  #noteAccount(key: ApiObject, old: ApiObject | undefined): void {
    const annotation = accountAnnotation(this.#names)
    note(key, annotation, this.#accountUidOf(key, old, annotation))
  }

  #accountUidOf(key: ApiObject, old: ApiObject | undefined, annotation: string) {
    const { user = '', team = '', subject = '' } = specOf(key)
    const account = serviceAccountNamed(subject)
    if (user !== '' || team !== '' || account === undefined) return undefined
    const isSame = old !== undefined && specOf(old).subject === subject
    const noted = isSame ? old.metadata.annotations?.[annotation] : undefined
    const accounts = { group: '', resource: 'serviceaccounts' }
    return noted ?? this.#find(accounts, account)?.metadata.uid
  }

  #generationOf(key: ApiObject, old: ApiObject | undefined, annotation: string) {
    const { type = '', user } = specOf(key)
    if (!isTokenType(type)) return undefined
    const wasToken = old !== undefined && isTokenType(specOf(old).type ?? '')
    if (wasToken && specOf(old).user === user) return old.metadata.annotations?.[annotation]
    const owner = this.#ownerOf(key)
    // The schema of users says that it is an integer.
    const { tokenGeneration = 0 } = (owner?.['spec'] ?? {}) as { tokenGeneration?: number | bigint }
    return tokenGeneration === 0 ? undefined : String(tokenGeneration)
  }

  #ownerOf(key: ApiObject): ApiObject | undefined {
    const { user = '', team = '' } = specOf(key)
    const group = managementGroup(this.#names)
    const named = (resource: string, name: string) =>
      this.#find({ group, resource }, { namespace: '', name })
    if (user !== '') return named('users', user)
    return team === '' ? undefined : named('teams', team)
  }

  /** Undefined where the kind is not served, too. */
  #find({ group, resource }: GroupResource, name: ObjectName): ApiObject | undefined {
    if (this.#access.resources().get({ group, version: 'v1' }, resource) === undefined)
      return undefined
    return objectIfAny(this.#access.store({ group, resource }), name)
  }

  #isOfOwner({ apiVersion, kind, controller }: OwnerReference): boolean {
    const ours = groupVersionString({ group: managementGroup(this.#names), version: 'v1' })
    return controller === true && apiVersion === ours && (kind === 'User' || kind === 'Team')
  }
}

/** Sets an annotation that the server owns; undefined: there is none. Changes `key`. */
function note(key: ApiObject, annotation: string, value: string | undefined): void {
  const { [annotation]: given, ...rest } = key.metadata.annotations ?? {}
  if (value === given) return
  const next = value === undefined ? rest : { ...rest, [annotation]: value }
  if (Object.keys(next).length > 0) key.metadata.annotations = next
  else delete key.metadata.annotations
}

function reference({ apiVersion, kind, metadata }: ApiObject): OwnerReference {
  const { name = '', uid = '' } = metadata
  return { apiVersion, kind, name, uid, controller: true }
}
