import type { NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { ApiObject, UserInfo } from '../../../meta/types.ts'
import { withAnnotation } from '../annotations.ts'

/** The shared secret whose data an object takes over. */
export interface SharedSecretReference {
  namespace: string
  name: string
}

/** Who set the labels that name a shared secret, and on whose right its data flows. */
export interface Grantor {
  /** Name of the User object, where it is a user of the platform. */
  user?: string
  /** Name of the Team object, where a team's key was used. */
  team?: string
  name: string
  uid: string
  /** Of those who are neither user nor team: nothing else knows theirs later on. */
  groups?: string[]
}

/** The labels and annotations that say which shared secret an object takes over. The labels are the client's, the
 *  annotations the server's alone. Source: platform facts 1.0, "Labels and annotations in use". */
export class SharedSecretMarks {
  readonly nameLabel: string
  readonly namespaceLabel: string
  readonly grantorAnnotation: string
  /** UID of the shared secret whose data the object has. */
  readonly takenAnnotation: string
  readonly annotations: readonly string[]

  constructor({ domain }: NamesProfile) {
    this.nameLabel = `${domain}/sharedsecret-name`
    this.namespaceLabel = `${domain}/sharedsecret-namespace`
    this.grantorAnnotation = `${domain}/sharedsecret-grantor`
    this.takenAnnotation = `${domain}/sharedsecret-uid`
    this.annotations = [this.grantorAnnotation, this.takenAnnotation]
  }

  /** Without the label for the namespace it is the object's own. */
  reference({ metadata }: ApiObject): SharedSecretReference | undefined {
    const name = metadata.labels?.[this.nameLabel] ?? ''
    const namespace = metadata.labels?.[this.namespaceLabel] ?? ''
    if (name === '') return undefined
    return { name, namespace: namespace === '' ? (metadata.namespace ?? '') : namespace }
  }

  grantor({ metadata }: ApiObject): Grantor | undefined {
    const text = metadata.annotations?.[this.grantorAnnotation]
    // The server alone writes the annotation.
    return text === undefined ? undefined : (JSON.parse(text) as Grantor)
  }

  /** Makes `user` the one who set the labels. */
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
