import { X509Certificate } from 'node:crypto'
import type { Clock } from '../../meta/clock.ts'
import type { NamesProfile } from '../../meta/names/namesProfile.ts'
import type { UserInfo } from '../../meta/types.ts'
import type { TokenIdentities, TokenIdentity } from '../tokens/endpointTokenAuthenticator.ts'
import { HolderRevocations } from '../holderRevocations.ts'

export interface ClientCertificatesOptions {
  names: NamesProfile
  clock: Clock
  identities: TokenIdentities
  /** PEM of the CA that currently signs client certificates; undefined: none. */
  authority: () => string | undefined
}

/** Content of a client certificate that this server's CA signed. */
interface Verified {
  validFrom: number
  validTo: number
  targets: readonly string[]
  holder: { user: string } | { team: string }
  name: string
}

interface Seen {
  authority: string
  verified: Verified | undefined
}

const clientUse = '1.3.6.1.5.5.7.3.2'

/**
 * Authenticates the client certificate of a connection on the one plane that the certificate is
 * issued for. Signatures are slow to verify, so the content is cached for the lifetime of the
 * connection. Validity and holder are checked for every request, and a holder that was deleted,
 * disabled or replaced is refused. Users get the holder's current rights, not those in the
 * certificate. Source: specification, "VirtualClusterInstanceKubeConfig"; RFC 5280.
 */
export class ClientCertificates {
  readonly #options: ClientCertificatesOptions
  readonly #seen = new WeakMap<object, Seen>()
  readonly #revocations: HolderRevocations

  constructor(options: ClientCertificatesOptions) {
    this.#options = options
    this.#revocations = new HolderRevocations(options.identities)
  }

  /**
   * Authenticates a certificate; the result is cached by `connection`. `target` is a name that the
   * certificate must contain. The uids are those of the plane's object and the holder at the time
   * of issue.
   */
  authenticate(
    connection: object,
    certificate: () => X509Certificate | undefined,
    { target, uid }: { target: string; uid: string },
  ): UserInfo | undefined {
    const verified = this.#verified(connection, certificate)
    const now = this.#options.clock.now()
    if (verified === undefined || now < verified.validFrom || now > verified.validTo) {
      return undefined
    }
    const identity = this.#identityOf(verified.holder)
    if (!isStill(identity, verified.name)) return undefined
    const uids = certifiedUids(this.#options.names, uid, identity.uid)
    if (![target, uids].every((name) => verified.targets.includes(name))) return undefined
    const { name, groups } = identity
    return {
      name,
      uid: identity.uid,
      groups: [...groups],
      extra: {},
      credential: { ...verified.holder },
    }
  }

  /**
   * Calls `callback` once when the holder of the certificate of `user` is deleted, disabled or replaced; immediately if
   * that has already happened. Returns a function that unsubscribes.
   */
  onRevoked({ name, uid, credential = {} }: UserInfo, callback: () => void): () => void {
    const { user, team } = credential
    const holder = user !== undefined ? { user } : team !== undefined ? { team } : undefined
    if (holder === undefined) return () => undefined
    const isTaken = () => {
      const identity = this.#identityOf(holder)
      return isStill(identity, name) && identity.uid === uid
    }
    return this.#revocations.add(user, { isTaken, callback })
  }

  #identityOf(holder: Verified['holder']): TokenIdentity | undefined {
    const { identities } = this.#options
    return 'user' in holder ? identities.user(holder.user) : identities.team(holder.team)
  }

  #verified(
    connection: object,
    certificate: () => X509Certificate | undefined,
  ): Verified | undefined {
    const authority = this.#options.authority() ?? ''
    const seen = this.#seen.get(connection)
    if (seen?.authority === authority) return seen.verified
    const shown = certificate()
    const verified = shown && authority !== '' ? this.#verify(shown, authority) : undefined
    this.#seen.set(connection, { authority, verified })
    return verified
  }

  #verify(certificate: X509Certificate, authorityPem: string): Verified | undefined {
    const authority = new X509Certificate(authorityPem)
    if (certificate.ca || !certificate.checkIssued(authority)) return undefined
    if (!certificate.verify(authority.publicKey)) return undefined
    // The type declarations omit that keyUsage is undefined without an extended key usage.
    const uses = (certificate.keyUsage as string[] | undefined) ?? []
    if (!uses.includes(clientUse)) return undefined
    return this.#read(certificate)
  }

  #read(certificate: X509Certificate): Verified | undefined {
    const subject: Record<string, unknown> = { ...certificate.toLegacyObject().subject }
    const [name] = stringsOf(subject['CN'])
    const holder = this.#holderOf(name, stringsOf(subject['O']))
    if (name === undefined || holder === undefined) return undefined
    return {
      validFrom: Date.parse(certificate.validFrom),
      validTo: Date.parse(certificate.validTo),
      targets: (certificate.subjectAltName ?? '')
        .split(', ')
        .filter((text) => text.startsWith('URI:'))
        .map((text) => text.slice('URI:'.length)),
      holder,
      name,
    }
  }

  /** The groups determine which kind of object the name refers to. */
  #holderOf(name: string | undefined, groups: readonly string[]): Verified['holder'] | undefined {
    const { platform } = this.#options.names
    const [userPrefix, teamPrefix] = [`${platform}:user:`, `${platform}:team:`]
    if (name?.startsWith(teamPrefix) === true) return { team: name.slice(teamPrefix.length) }
    const own = groups.find((group) => group.startsWith(userPrefix) && group !== `${userPrefix}*`)
    return own === undefined ? undefined : { user: own.slice(userPrefix.length) }
  }
}

function isStill(identity: TokenIdentity | undefined, name: string): identity is TokenIdentity {
  return identity !== undefined && !identity.isDisabled && identity.name === name
}

/** The name of a virtual cluster in certificates. */
export function certifiedTarget(
  { domain }: NamesProfile,
  { project, virtualCluster }: { project: string; virtualCluster: string },
): string {
  return `urn:${domain}:project:${project}:virtualcluster:${virtualCluster}`
}

/** Distinguishes a virtual cluster and a holder from later objects of the same names. */
export function certifiedUids({ domain }: NamesProfile, cluster: string, holder: string): string {
  return `urn:${domain}:uids:${cluster}:${holder}`
}

function stringsOf(value: unknown): string[] {
  return [value].flat().filter((text) => typeof text === 'string')
}
