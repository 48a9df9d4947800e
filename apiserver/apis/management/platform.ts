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

/** The subject of a client certificate. */
export interface CertificateSubject {
  /** CN of the subject: the user's name. */
  user: string
  /** O of the subject, one for each group. */
  groups: readonly string[]
  /** Subject alternative names: URIs of the only targets for which the certificate is valid. */
  targets: readonly string[]
}

/** Trial run of a virtual cluster's sync configuration with one object. */
export interface SyncTrial {
  /** YAML; empty: the default configuration. */
  config: string
  object: Readonly<Record<string, unknown>>
  /** Name of the virtual cluster. */
  name: string
  hostNamespace: string
}

export interface SyncProblem {
  field: 'config' | 'object'
  message: string
}

/** The explanation as plain data, or problems in the input. */
export type SyncTrialResult =
  { problems: readonly SyncProblem[] } | { explanation: Readonly<Record<string, unknown>> }

/**
 * The running platform as its kinds see it. Used only while requests are served, after everything
 * has started.
 */
export interface Platform {
  names: NamesProfile
  clock: Clock
  access: PlaneAccess
  /** Keys that sign tokens. */
  tokenKeys: JwtKeys
  passwords: Passwords

  /**
   * Charges one password attempt against a user's limit, as logins do. `putBack` undoes it.
   * @throws StatusError TooManyRequests; ServiceUnavailable.
   */
  takeGuess(user: string): Promise<{ putBack(): Promise<void> }>
  /** Prefix of the namespaces of projects. */
  projectNamespacePrefix(): string
  /** Creates the namespace of a newly stored project. */
  ensureProjectNamespace(project: ApiObject): Promise<void>

  /** Base URL of the server without a trailing slash. */
  url(): string
  /** Domain of this installation without a scheme; undefined: unset. */
  host(): string | undefined
  /**
   * PEM of the certificates that clients have to trust; undefined: the system trust store suffices.
   */
  caCertificate(): string | undefined
  /** Signs a certificate for a new key; undefined: the server has no CA of its own. */
  issueClientCertificate(
    subject: CertificateSubject,
    lifeSeconds: number,
  ): Promise<ClientCertificate | undefined>

  /** The user of an access key; undefined: the key is invalid. */
  authenticate(key: string): UserInfo | undefined
  /** Names of the teams of a user. */
  teamsOf(user: string): readonly string[]
  /** Names of the teams that have the user or one of the groups as a member. */
  teamsWith(user: string, groups: readonly string[]): readonly string[]
  /**
   * The access key for a program that the platform trusts. It is derived from the purpose, so that
   * it can be shown again without being stored. A secret.
   */
  derivedAccessKey(purpose: string): Promise<string>
  /** Explains the sync of an object. @throws StatusError 413, 429. */
  trySync(trial: SyncTrial): Promise<SyncTrialResult>
}
