import type { NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { ApiObject, UserInfo } from '../../../meta/types.ts'
import { withAnnotation } from '../annotations.ts'

/** A reference to the shared secret whose data an object copies. */
export interface SharedSecretReference {
  namespace: string
  name: string
}

/** The user who set the labels of the reference and whose rights apply. */
export interface Grantor {
  /** Name of the User object of a platform user. */
  user?: string
  /** Name of the Team object, if a team's key was used. */
  team?: string
  name: string
  uid: string
  /** Groups of a user without a User or Team object, since they cannot be looked up later. */
  groups?: string[]
}

/**
 * The labels and annotations of a reference to a shared secret. Clients set the labels, only the server sets the
 * annotations. Source: platform facts 1.0, "Labels and annotations in use".
 */
export class SharedSecretMarks {
  readonly nameLabel: string
  readonly namespaceLabel: string
  readonly grantorAnnotation: string
  /** Annotation with the UID of the shared secret that the data was copied from. */
  readonly takenAnnotation: string
  readonly annotations: readonly string[]

  constructor({ domain }: NamesProfile) {
    this.nameLabel = `${domain}/sharedsecret-name`
    this.namespaceLabel = `${domain}/sharedsecret-namespace`
    this.grantorAnnotation = `${domain}/sharedsecret-grantor`
    this.takenAnnotation = `${domain}/sharedsecret-uid`
    this.annotations = [this.grantorAnnotation, this.takenAnnotation]
  }

  /**
   * Reference in an object; if the namespace label is absent, the object's own namespace is meant.
   */
  reference({ metadata }: ApiObject): SharedSecretReference | undefined {
    const name = metadata.labels?.[this.nameLabel] ?? ''
    const namespace = metadata.labels?.[this.namespaceLabel] ?? ''
    if (name === '') return undefined
    return { name, namespace: namespace === '' ? (metadata.namespace ?? '') : namespace }
  }

  grantor({ metadata }: ApiObject): Grantor | undefined {
    const text = metadata.annotations?.[this.grantorAnnotation]
    // Only the server writes the annotation.
    return text === undefined ? undefined : (JSON.parse(text) as Grantor)
  }

  /** Records `user` as the user who set the labels. */
  withGrantor(object: ApiObject, user: UserInfo): ApiObject {
    return withAnnotation(object, this.grantorAnnotation, JSON.stringify(grantorOf(user)))
  }

  taken({ metadata }: ApiObject): string | undefined {
    return metadata.annotations?.[this.takenAnnotation]
  }

  withTaken(object: ApiObject, uid: string | undefined): ApiObject {
    return withAnnotation(object, this.takenAnnotation, uid)
  }
}

export function isSameReference(
  a: SharedSecretReference | undefined,
  b: SharedSecretReference | undefined,
): boolean {
  return a?.name === b?.name && a?.namespace === b?.namespace
}

function grantorOf({ name, uid, groups, credential }: UserInfo): Grantor {
  const { user, team } = credential ?? {}
  if (user !== undefined) return { user, name, uid }
  return team === undefined ? { name, uid, groups } : { team, name, uid }
}
