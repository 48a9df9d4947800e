import type { X509Certificate } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Clock } from '../../meta/clock.ts'
import type { NamesProfile } from '../../meta/names/namesProfile.ts'
import type { UserInfo } from '../../meta/types.ts'
import { withAuthenticatedGroup } from '../authenticatedGroup.ts'
import { isOpenAt, type CertificateBundle, type ValidityWindow } from './certificateBundle.ts'
import { certificateUser, commonName, namesTargets } from './certificateUser.ts'
import { connectionOf, peerCertificate } from './peerCertificate.ts'
import { RemoteHeaders } from '../remoteHeaders.ts'
import { withScopeTaken } from '../scopeExtra.ts'

/** Whose client certificates are believed, and what. Another object after each change. */
export interface ClientTrust {
  /** Who shows a certificate of these is whom it names. Undefined: nobody is. */
  clients: CertificateBundle | undefined
  /** Who shows a certificate of these says in headers whom a request is from. Undefined: nobody does. */
  frontProxy: FrontProxyTrust | undefined
}

export interface FrontProxyTrust {
  bundle: CertificateBundle
  /** Common names; empty: any. */
  allowedNames: readonly string[]
  headers: RemoteHeaders
}

export interface ConnectionUsersOptions {
  trust: () => ClientTrust
  names: NamesProfile
  clock: Clock
  /** Told why a certificate that was shown counts for nothing. */
  refused: (why: string) => void
}

/** What a certificate is worth under one trust, for as long as its connection lives: signatures are slow to verify. */
interface Seen {
  trust: ClientTrust
  certificate: X509Certificate | undefined
  asClient: readonly ValidityWindow[]
  asFrontProxy: readonly ValidityWindow[]
}

interface Shown {
  certificate: X509Certificate
  /** Takes up what is wrong with it. */
  problems: string[]
}

/** Finds whom a request stands for by the client certificate of its connection: the user whom a front proxy names in
 *  headers, or whom the certificate names. Headers without such a certificate are never looked at.
 *  Source: reference 7.1, 7.4, 7.5. */
export class ConnectionUsers {
  readonly #options: ConnectionUsersOptions
  readonly #seen = new WeakMap<object, Seen>()

  constructor(options: ConnectionUsersOptions) {
    this.#options = options
  }

  /** 'refused': a certificate was shown that counts for nothing, so that without another credential the request is
   *  nobody's. Undefined: the connection says nothing.
   *  @param isForeignPage the certificate is one that a browser shows for any page, and names nobody. */
  authenticate(request: IncomingMessage, isForeignPage = false): UserInfo | 'refused' | undefined {
    const trust = this.#options.trust()
    if (trust.clients === undefined && trust.frontProxy === undefined) return undefined
    const seen = this.#seenOf(request, trust)
    if (seen.certificate === undefined) return undefined
    try {
      const trusted = isForeignPage ? { ...seen, trust: { ...trust, clients: undefined } } : seen
      return this.#userOf(request, trusted, seen.certificate)
    } catch (error) {
      this.#options.refused(error instanceof Error ? error.message : String(error))
      return 'refused'
    }
  }

  /** Takes the headers out in which front proxies name users. */
  clearHeaders(request: IncomingMessage): void {
    const { headers } = this.#options.trust().frontProxy ?? standard
    headers.clear(request)
  }

  /** @throws Error with the reason where nobody is found and something is wrong with the certificate. */
  #userOf(
    request: IncomingMessage,
    seen: Seen,
    certificate: X509Certificate,
  ): UserInfo | undefined {
    if (namesTargets(certificate, this.#options.names)) {
      throw new Error('the client certificate was made for a virtual cluster alone')
    }
    const problems: string[] = []
    const user =
      this.#proxiedUser(request, seen, { certificate, problems }) ??
      this.#namedUser(seen, { certificate, problems })
    if (user !== undefined) return this.#complete(user)
    if (problems.length > 0) throw new Error(problems.join('; '))
    return undefined
  }

  /** Whom a front proxy names. */
  #proxiedUser(
    request: IncomingMessage,
    { trust: { frontProxy }, asFrontProxy }: Seen,
    { certificate, problems }: Shown,
  ): UserInfo | undefined {
    if (frontProxy === undefined) return undefined
    const { allowedNames, headers } = frontProxy
    const cn = commonName(certificate)
    if (!isOpenAt(asFrontProxy, this.#options.clock.now())) {
      problems.push(unverified(certificate, 'front proxies'))
    } else if (allowedNames.length > 0 && !allowedNames.includes(cn)) {
      problems.push(`x509: subject with cn=${cn} is not in the allowed list`)
    } else {
      return headers.userOf(request)
    }
    return undefined
  }

  /** Whom the certificate names itself. */
  #namedUser(
    { trust: { clients }, asClient }: Seen,
    { certificate, problems }: Shown,
  ): UserInfo | undefined {
    if (clients === undefined) return undefined
    if (isOpenAt(asClient, this.#options.clock.now())) return certificateUser(certificate)
    problems.push(unverified(certificate, 'clients'))
    return undefined
  }

  #complete(user: UserInfo): UserInfo {
    return withScopeTaken(withAuthenticatedGroup(user), this.#options.names)
  }

  #seenOf(request: IncomingMessage, trust: ClientTrust): Seen {
    const connection = connectionOf(request)
    const seen = this.#seen.get(connection)
    if (seen?.trust === trust) return seen
    const certificate = peerCertificate(request)
    const windows = (bundle: CertificateBundle | undefined) =>
      (certificate && bundle?.windows(certificate)) ?? []
    const made = {
      trust,
      certificate,
      asClient: windows(trust.clients),
      asFrontProxy: windows(trust.frontProxy?.bundle),
    }
    this.#seen.set(connection, made)
    return made
  }
}

const standard = { headers: new RemoteHeaders() }

function unverified(certificate: X509Certificate, whose: string): string {
  const { serialNumber, validFrom, validTo } = certificate
  return `verifying certificate SN=${serialNumber} (${validFrom} to ${validTo}) failed: no authority of ${whose} vouches for it now`
}
