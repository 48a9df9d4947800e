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

/** Links a key to its user, team or service account. */
export class AccessKeyOwner {
  readonly #names: NamesProfile
  readonly #access: PlaneAccess

  constructor(names: NamesProfile, access: PlaneAccess) {
    this.#names = names
    this.#access = access
  }

  /** Records all links in a new key, or in an update of `old`. Changes `key`. */
  remember(key: ApiObject, old?: ApiObject): void {
    this.#refer(key, old)
    this.#noteGeneration(key, old)
    this.#noteAccount(key, old)
  }

  /**
   * Makes the owner's object, if it exists, the controller of the key, so that the key is deleted
   * with it. The controller's uid identifies the owner, so that a later object of the same name is
   * not the owner. No other object is a controller of the key.
   * Source: platform facts 7.3.
   */
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

  /** The owner reference of the old key, if the owner is the same. */
  #noted(key: ApiObject, old: ApiObject | undefined): OwnerReference | undefined {
    const of = ({ user = '', team = '' } = specOf(key)): string => JSON.stringify([user, team])
    if (old === undefined || of(specOf(old)) !== of()) return undefined
    return old.metadata.ownerReferences?.find((reference) => this.#isOfOwner(reference))
  }

  #newReference(key: ApiObject): OwnerReference | undefined {
    const owner = this.#ownerOf(key)
    return owner && reference(owner)
  }

  /**
   * Records the token generation of the user in which a login's key was created.
   * Source: specification, "Authentication" 6.
   */
  #noteGeneration(key: ApiObject, old: ApiObject | undefined): void {
    const annotation = generationAnnotation(this.#names)
    note(key, annotation, this.#generationOf(key, old, annotation))
  }

  /**
   * Records the uid of the service account that a key is for, since a later account of the same
   * name is a different one.
   */
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
    // Guaranteed by the schema of users.
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

  /** Finds an object; undefined if it does not exist or its kind is not served. */
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

/** Sets an annotation owned by the server; undefined removes it. Changes `key`. */
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
