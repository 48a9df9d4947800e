import { generationAnnotation, isTokenType } from '../../authentication/tokenGeneration.ts'
import { managementGroup, type NamesProfile } from '../../meta/namesProfile.ts'
import { groupVersionString, type ApiObject, type OwnerReference } from '../../meta/types.ts'
import type { PlaneAccess } from '../planeAccess.ts'
import { objectIfAny } from '../storeReads.ts'
import { specOf } from './accessKeySpec.ts'

/** What a key remembers of the User or Team object that it is for. */
export class AccessKeyOwner {
  readonly #names: NamesProfile
  readonly #access: PlaneAccess

  constructor(names: NamesProfile, access: PlaneAccess) {
    this.#names = names
    this.#access = access
  }

  /** Makes the owner's object the controller of the key, so that the key goes with it, where the object exists.
   *  Changes `key`. Source: platform facts 7.3. */
  refer(key: ApiObject): void {
    const owner = this.#ownerOf(key)
    const { ownerReferences = [] } = key.metadata
    const others = ownerReferences.filter((reference) => !this.#isOfOwner(reference))
    const hasOther = others.some((reference) => reference.controller === true)
    const next = owner === undefined || hasOther ? others : [...others, reference(owner)]
    if (next.length > 0) key.metadata.ownerReferences = next
    else delete key.metadata.ownerReferences
  }

  /** Notes under which token generation of its user a login's key is made: now, or when `old` was. Changes `key`.
   *  Source: specification, "Authentication" 6. */
  noteGeneration(key: ApiObject, old?: ApiObject): void {
    const annotation = generationAnnotation(this.#names)
    const { [annotation]: given, ...rest } = key.metadata.annotations ?? {}
    const value = this.#generationOf(key, old, annotation)
    if (value === given) return
    const next = value === undefined ? rest : { ...rest, [annotation]: value }
    if (Object.keys(next).length > 0) key.metadata.annotations = next
    else delete key.metadata.annotations
  }

  #generationOf(key: ApiObject, old: ApiObject | undefined, annotation: string) {
    const { type = '', user } = specOf(key)
    if (!isTokenType(type)) return undefined
    const wasToken = old !== undefined && isTokenType(specOf(old).type ?? '')
    if (wasToken && specOf(old).user === user) return old.metadata.annotations?.[annotation]
    const owner = this.#ownerOf(key)
    // The schema of users says that it is an integer.
    const { tokenGeneration = 0 } = (owner?.['spec'] ?? {}) as { tokenGeneration?: number }
    return tokenGeneration === 0 ? undefined : String(tokenGeneration)
  }

  #ownerOf(key: ApiObject): ApiObject | undefined {
    const { user = '', team = '' } = specOf(key)
    if (user !== '') return this.#find('users', user)
    return team === '' ? undefined : this.#find('teams', team)
  }

  #find(plural: 'users' | 'teams', name: string): ApiObject | undefined {
    const group = managementGroup(this.#names)
    if (this.#access.resources().get({ group, version: 'v1' }, plural) === undefined)
      return undefined
    return objectIfAny(this.#access.store({ group, resource: plural }), { namespace: '', name })
  }

  #isOfOwner({ apiVersion, kind, controller }: OwnerReference): boolean {
    const ours = groupVersionString({ group: managementGroup(this.#names), version: 'v1' })
    return controller === true && apiVersion === ours && (kind === 'User' || kind === 'Team')
  }
}

function reference({ apiVersion, kind, metadata }: ApiObject): OwnerReference {
  const { name = '', uid = '' } = metadata
  return { apiVersion, kind, name, uid, controller: true }
}
