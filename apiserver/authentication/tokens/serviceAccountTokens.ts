import { hash } from 'node:crypto'
import { goQuote } from '../../meta/goQuote.ts'
import { isObject } from '../../meta/json/isObject.ts'
import type { Clock, Random } from '../../meta/clock.ts'
import type { ApiObject, UserInfo } from '../../meta/types.ts'
import type { ObjectName } from '../../registry/storeTypes.ts'
import { looksLikeJwt, signJwt, verifiedClaims } from './jwt.ts'
import type { JwtKeys } from './jwtKeys.ts'
import {
  credentialId,
  serviceAccountName,
  serviceAccountToken,
  serviceAccountUser,
  type ClaimedObject,
  type ServiceAccountClaim,
  type ServiceAccountToken,
} from './serviceAccountClaims.ts'

/** Signs the tokens of all planes of a server. */
export interface TokenSigner {
  keys: JwtKeys
  clock: Clock
  random: Random
  /** The claim for the restriction of a token, which it inherits from the requesting credential. */
  scopeClaim: string
}

/** The plane that tokens belong to, and on which alone they are valid. */
export interface TokenPlane {
  /** The `iss` of its tokens, which is unique to the plane. */
  issuer(): string
  /** Former issuers, whose tokens stay valid. Absent: none. */
  formerIssuers?: readonly string[]
  /** Default audiences of tokens, which the API also accepts; the issuer precedes them. */
  audiences: readonly string[]
  /** The newest state of an object of the core group; undefined: it does not exist. */
  find(resource: string, target: ObjectName): ApiObject | undefined
}

/** The contents of a token to issue. */
export interface TokenContents {
  claim: Omit<ServiceAccountClaim, 'warnafter'>
  audiences: readonly string[]
  lifeSeconds: number
  /** Seconds until the client should renew the token; absent: never. */
  warnAfterSeconds?: number
  /** Scope of the requesting credential. Absent: unrestricted. */
  scope?: Record<string, unknown>
}

/**
 * The user of a token and the requested audiences for which it is valid, or the reason why it is
 * invalid.
 */
export type TokenVerdict = { user: UserInfo; audiences: string[] } | { error: string }

/**
 * Tolerated clock skew in seconds. Source: the library that the real server verifies tokens with.
 */
const leewaySeconds = 60
const maxRemembered = 10_000

/**
 * The tokens of a plane's service accounts. Signatures are slow to verify, so verified tokens are
 * cached by digest; their validity is checked for every request.
 * Source: Kubernetes documentation, "Managing Service Accounts".
 */
export class ServiceAccountTokens {
  readonly #signer: TokenSigner
  readonly #plane: TokenPlane
  /** Verified tokens, oldest first. */
  readonly #verified = new Map<string, ServiceAccountToken>()

  constructor(signer: TokenSigner, plane: TokenPlane) {
    this.#signer = signer
    this.#plane = plane
  }

  /** Audiences that the API accepts. */
  audiences(): string[] {
    return [this.#plane.issuer(), ...this.#plane.audiences]
  }

  find(resource: string, target: ObjectName): ApiObject | undefined {
    return this.#plane.find(resource, target)
  }

  now(): number {
    return this.#signer.clock.now()
  }

  /** Issues a signed token, and returns it with its ID in audit events. */
  async issue(contents: TokenContents): Promise<{ token: string; credentialId: string }> {
    const { claim, audiences, lifeSeconds, warnAfterSeconds, scope } = contents
    const { keys, clock, random, scopeClaim } = this.#signer
    const jti = random.uuid()
    const iat = Math.floor(clock.now() / 1000)
    const warnafter = warnAfterSeconds === undefined ? {} : { warnafter: iat + warnAfterSeconds }
    const claims = {
      aud: [...audiences],
      exp: iat + lifeSeconds,
      iat,
      iss: this.#plane.issuer(),
      jti,
      'kubernetes.io': { ...claim, ...warnafter },
      nbf: iat,
      sub: serviceAccountName(claim.namespace, claim.serviceaccount.name),
      ...(scope === undefined ? {} : { [scopeClaim]: scope }),
    }
    return { token: await signJwt(claims, keys, {}), credentialId: credentialId({ jti }) }
  }

  /** The user of a bearer token on this plane's API; undefined: not authenticated. */
  async authenticate(token: string): Promise<UserInfo | undefined> {
    const verdict = await this.review(token)
    return verdict !== undefined && 'user' in verdict ? verdict.user : undefined
  }

  /** Reviews a token for `audiences`; undefined: not a token of this plane. */
  async review(
    token: string,
    audiences: readonly string[] = this.audiences(),
  ): Promise<TokenVerdict | undefined> {
    if (!looksLikeJwt(token)) return undefined
    const known = await this.#read(token)
    if (known === undefined || !this.#isOwnIssuer(known.iss)) return undefined
    const shared = known.aud.filter((audience) => audiences.includes(audience))
    if (shared.length === 0) {
      const target = quoted(audiences)
      return {
        error: `token audiences ${quoted(known.aud)} is invalid for the target audiences ${target}`,
      }
    }
    const error =
      this.#timeProblem(known) ?? this.#objectProblem(known) ?? this.#storedProblem(known, token)
    if (error !== undefined) return { error }
    const scope = known[this.#signer.scopeClaim]
    const user = serviceAccountUser(known, isObject(scope) ? scope : undefined)
    return { user, audiences: shared }
  }

  /**
   * Reports whether this server signed a token for this plane under a former issuer, since its
   * address may change.
   */
  async isOutdated(token: string): Promise<boolean> {
    const known = looksLikeJwt(token) ? await this.#read(token) : undefined
    return known !== undefined && known.iss !== this.#plane.issuer()
  }

  #isOwnIssuer(issuer: string): boolean {
    const { formerIssuers = [] } = this.#plane
    return issuer === this.#plane.issuer() || formerIssuers.includes(issuer)
  }

  async #read(token: string): Promise<ServiceAccountToken | undefined> {
    const digest = hash('sha256', token)
    const remembered = this.#verified.get(digest)
    if (remembered !== undefined) return remembered
    const claims = await verifiedClaims(token, this.#signer.keys)
    const known = claims && serviceAccountToken(claims)
    if (known !== undefined) this.#remember(digest, known)
    return known
  }

  #remember(digest: string, known: ServiceAccountToken): void {
    for (const oldest of this.#verified.keys()) {
      if (this.#verified.size < maxRemembered) break
      this.#verified.delete(oldest)
    }
    this.#verified.set(digest, known)
  }

  #timeProblem({ exp, nbf, iat }: ServiceAccountToken): string | undefined {
    const now = this.#signer.clock.now() / 1000
    if (now < nbf - leewaySeconds) return 'service account token is not valid yet'
    if (now > exp + leewaySeconds) return 'service account token has expired'
    if (now < iat - leewaySeconds) return 'service account token is issued in the future'
    return undefined
  }

  /**
   * The reason why a token's account or bound objects are invalid, since they must be the same as
   * at the time of issue.
   */
  #objectProblem({ 'kubernetes.io': claim }: ServiceAccountToken): string | undefined {
    const { namespace, serviceaccount, pod, secret, node } = claim
    const account = this.#live('serviceaccounts', namespace, serviceaccount)
    if (account === undefined) return `serviceaccounts ${goQuote(serviceaccount.name)} not found`
    if (account.uid !== serviceaccount.uid) {
      return `service account UID (${account.uid}) does not match claim (${serviceaccount.uid})`
    }
    if (account.isDeleted) return 'service account has been deleted'
    return (
      this.#boundProblem('secret', namespace, secret) ??
      this.#boundProblem('pod', namespace, pod) ??
      (pod === undefined ? this.#boundProblem('node', '', node) : undefined)
    )
  }

  #storedProblem({ 'kubernetes.io': claim }: ServiceAccountToken, token: string) {
    const { namespace, secret, isStored } = claim
    if (isStored !== true || secret === undefined) return undefined
    const data = this.#plane.find('secrets', { namespace, name: secret.name })?.['data']
    const held: unknown = isObject(data) ? data['token'] : undefined
    if (held === Buffer.from(token).toString('base64')) return undefined
    return "token does not match server's copy"
  }

  #boundProblem(
    what: 'pod' | 'secret' | 'node',
    namespace: string,
    claimed: ClaimedObject | undefined,
  ): string | undefined {
    if (claimed === undefined) return undefined
    const found = this.#live(`${what}s`, namespace, claimed)
    if (found === undefined || found.isDeleted) {
      return 'service account token has been invalidated'
    }
    if (found.uid === claimed.uid) return undefined
    const word = what === 'secret' ? 'service account secret' : `service account ${what}`
    return `${what} UID (${found.uid}) does not match ${word} ref claim (${claimed.uid})`
  }

  #live(resource: string, namespace: string, { name }: ClaimedObject) {
    const object = this.#plane.find(resource, { namespace, name })
    if (object === undefined) return undefined
    const { uid = '', deletionTimestamp } = object.metadata
    const goneAt = deletionTimestamp === undefined ? Infinity : Date.parse(deletionTimestamp)
    // An object whose deletion time is in the future still exists.
    return { uid, isDeleted: goneAt < this.#signer.clock.now() - leewaySeconds * 1000 }
  }
}

function quoted(texts: readonly string[]): string {
  return `[${texts.map(goQuote).join(' ')}]`
}
