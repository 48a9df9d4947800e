import type { X509Certificate } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Clock } from '../../meta/clock.ts'
import { messageOf } from '../../meta/messageOf.ts'
import type { NamesProfile } from '../../meta/names/namesProfile.ts'
import type { UserInfo } from '../../meta/types.ts'
import { withAuthenticatedGroup } from '../authenticatedGroup.ts'
import { isOpenAt, type CertificateBundle, type ValidityWindow } from './certificateBundle.ts'
import { certificateUser, commonName, namesTargets } from './certificateUser.ts'
import { connectionOf, peerCertificate } from './peerCertificate.ts'
import { RemoteHeaders } from '../remoteHeaders.ts'
import { withScopeOfExtra } from '../scopeExtra.ts'

/** Trusted CAs for client certificates. Every change creates a new object. */
export interface ClientTrust {
  /** CAs whose certificates authenticate the user named in the certificate. Undefined: disabled. */
  clients: CertificateBundle | undefined
  /**
   * CAs whose certificates authorize a front proxy to pass a user in headers. Undefined: disabled.
   */
  frontProxy: FrontProxyTrust | undefined
}

export interface FrontProxyTrust {
  bundle: CertificateBundle
  /** Allowed common names; empty: any. */
  allowedNames: readonly string[]
  headers: RemoteHeaders
}

export interface ConnectionUsersOptions {
  trust: () => ClientTrust
  names: NamesProfile
  clock: Clock
  /** Called with the reason why a client certificate was rejected. */
  refused: (why: string) => void
}

/**
 * The validity of a certificate under one trust configuration. It is cached for the lifetime of the
 * connection, since signatures are slow to verify.
 */
interface Seen {
  trust: ClientTrust
  certificate: X509Certificate | undefined
  asClient: readonly ValidityWindow[]
  asFrontProxy: readonly ValidityWindow[]
}

interface Shown {
  certificate: X509Certificate
  /** Problems found with the certificate. */
  problems: string[]
}

/**
 * Authenticates requests by the client certificate of their connection: as the user that a front
 * proxy passes in headers, or as the user that the certificate names. Without a front proxy's
 * certificate, headers are ignored.
 * Source: reference 7.1, 7.4, 7.5.
 */
export class ConnectionUsers {
  readonly #options: ConnectionUsersOptions
  readonly #seen = new WeakMap<object, Seen>()

  constructor(options: ConnectionUsersOptions) {
    this.#options = options
  }

  /**
   * User of a request. 'refused': the certificate was rejected, so that the request is anonymous
   * unless it has another credential. Undefined: no certificate.
   * @param isForeignPage true if a browser may send the certificate for any page, so that it must
   * not authenticate.
   */
  authenticate(request: IncomingMessage, isForeignPage = false): UserInfo | 'refused' | undefined {
    const trust = this.#options.trust()
    if (trust.clients === undefined && trust.frontProxy === undefined) return undefined
    const seen = this.#seenOf(request, trust)
    if (seen.certificate === undefined) return undefined
    try {
      const trusted = isForeignPage ? { ...seen, trust: { ...trust, clients: undefined } } : seen
      return this.#userOf(request, trusted, seen.certificate)
    } catch (error) {
      this.#options.refused(messageOf(error))
      return 'refused'
    }
  }

  /** Removes the headers in which front proxies pass users. */
  clearHeaders(request: IncomingMessage): void {
    const { headers } = this.#options.trust().frontProxy ?? standard
    headers.clear(request)
  }

  /**
   * The user of a request with a certificate. @throws Error with the reason if there is no user and the certificate has
   * a problem.
   */
  #userOf(
    request: IncomingMessage,
    seen: Seen,
    certificate: X509Certificate,
  ): UserInfo | undefined {
    if (namesTargets(certificate, this.#options.names)) {
      throw new Error('the client certificate is valid only for virtual clusters')
    }
    const problems: string[] = []
    const user =
      this.#proxiedUser(request, seen, { certificate, problems }) ??
      this.#namedUser(seen, { certificate, problems })
    if (user !== undefined) return this.#complete(user)
    if (problems.length > 0) throw new Error(problems.join('; '))
    return undefined
  }

  /** The user passed by a front proxy. */
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

  /** The user named in the certificate. */
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
    return withScopeOfExtra(withAuthenticatedGroup(user), this.#options.names)
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
