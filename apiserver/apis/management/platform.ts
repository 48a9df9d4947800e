import type { JwtKeys } from '../../authentication/tokens/jwtKeys.ts'
import type { Passwords } from '../../authentication/passwords.ts'
import type { Clock } from '../../meta/clock.ts'
import type { NamesProfile } from '../../meta/names/namesProfile.ts'
import type { ApiObject, UserInfo } from '../../meta/types.ts'
import type { PlaneAccess } from '../planeAccess.ts'

/** A certificate and its private key, both PEM. */
export interface ClientCertificate {
  cert: string
  /** A secret. */
  key: string
}

/** Whom a client certificate names. */
export interface CertificateSubject {
  /** CN: the user's name. */
  user: string
  /** O, one each. */
  groups: readonly string[]
  /** URIs of what alone the certificate opens, as its alternative names. */
  targets: readonly string[]
}

/** A virtual cluster's configuration that is tried on an object of it. */
export interface SyncTrial {
  /** YAML; empty: the defaults. */
  config: string
  object: Readonly<Record<string, unknown>>
  /** Of the virtual cluster. */
  name: string
  hostNamespace: string
}

export interface SyncProblem {
  field: 'config' | 'object'
  message: string
}

/** What syncing would do, as plain data, or what is wrong with what was given. */
export type SyncTrialResult =
  { problems: readonly SyncProblem[] } | { explanation: Readonly<Record<string, unknown>> }

/** The running platform as its kinds see it. Asked while requests are answered, when everything has started. */
export interface Platform {
  names: NamesProfile
  clock: Clock
  access: PlaneAccess
  /** What tokens are signed with. */
  tokenKeys: JwtKeys
  /** What passwords are hashed with. */
  passwords: Passwords

  /** Takes one guess at the password of a user from what is allowed, as logins do. Gives the function that puts it back.
   *  @throws StatusError TooManyRequests. */
  takeGuess(user: string): () => void
  /** What the namespaces of projects begin with. */
  projectNamespacePrefix(): string
  /** Makes the namespace of a project that was just stored. */
  ensureProjectNamespace(project: ApiObject): Promise<void>

  /** Base URL of the server without a slash at its end. */
  url(): string
  /** Domain of the instance without scheme; undefined: none is set. */
  host(): string | undefined
  /** PEM of what clients have to trust; undefined: what their system trusts. */
  caCertificate(): string | undefined
  /** Signs a certificate for a new key; undefined: the server has no authority of its own. */
  issueClientCertificate(
    subject: CertificateSubject,
    lifeSeconds: number,
  ): Promise<ClientCertificate | undefined>

  /** Who an access key stands for; undefined: it is of no use. */
  authenticate(key: string): UserInfo | undefined
  /** Names of the teams of a user. */
  teamsOf(user: string): readonly string[]
  /** Names of the teams that name a user, or one of these groups. */
  teamsWith(user: string, groups: readonly string[]): readonly string[]
  /** The access key for a program that the platform trusts: the same for the same purpose, so that it can be shown again
   *  without being stored. A secret. */
  derivedAccessKey(purpose: string): Promise<string>
  /** What syncing an object would do. @throws StatusError 413, 429. */
  trySync(trial: SyncTrial): Promise<SyncTrialResult>
}
