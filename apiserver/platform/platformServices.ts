import type { PlaneAccess } from '../apis/planeAccess.ts'
import type {
  CertificateSubject,
  ClientCertificate,
  Platform,
  SyncTrial,
  SyncTrialResult,
} from '../apis/management/platform.ts'
import { longestEndpointTokenSeconds } from '../apis/management/clusters/directClusterEndpointToken.ts'
import type { AccessKeyAuthenticator } from '../authentication/accessKeys/accessKeyAuthenticator.ts'
import type { Identities } from '../authentication/identities.ts'
import type { Identity } from '../authentication/identity.ts'
import { JwtKeys } from '../authentication/tokens/jwtKeys.ts'
import type { TokenSigner } from '../authentication/tokens/serviceAccountTokens.ts'
import { Passwords } from '../authentication/passwords.ts'
import type { ProjectNamespaces } from '../controllers/projectNamespace.ts'
import { DerivedSecrets } from './derivedSecrets.ts'
import { LoginThrottle, type TakenAttempt } from './logins/limits/loginThrottle.ts'
import type { SharedLogins } from './logins/records/sharedLogins.ts'
import type { Clock, Random } from '../meta/clock.ts'
import type { NamesProfile } from '../meta/names/namesProfile.ts'
import type { ApiObject, UserInfo } from '../meta/types.ts'
import type { CertifiedKey } from '../http/pki/certificate.ts'
import type { PlatformConfig } from '../platformConfig/platformConfig.ts'
import type { SecretKeeper } from '../runtime/files/secretFile.ts'
import { SyncTrials } from './syncTrials.ts'
import { tokenSigner } from '../controlPlane/serviceAccounts.ts'

/** Time to publish a key of the OpenID provider after its last token: clients also use old ones to log out. */
const identityKeyKeptMs = 30 * 24 * 60 * 60 * 1000

export interface PlatformServicesOptions {
  names: NamesProfile
  clock: Clock
  random: Random
  access: PlaneAccess
  config: PlatformConfig
  /** Keeper of a secret, by its path in the data folder. */
  keeper: (name: string) => SecretKeeper
  /** State of logins that servers share. */
  logins: SharedLogins
  report: (error: unknown) => void
}

/** Services that start after the kinds are created. */
export interface StartedServices {
  authenticator: AccessKeyAuthenticator
  identities: Identities
  projects: ProjectNamespaces
}

/** The address of the server and its signing CA. */
export interface ServedAddress {
  url: string
  /** Issuer of service account tokens: the same for all servers that share the storage. */
  issuer: string
  caCertificate: string | undefined
  /** Undefined: the server cannot sign. */
  authority: CertifiedKey | undefined
}

/**
 * The running platform. Kinds are created before the services that they use, which are bound when they have started;
 * using them earlier is a bug and throws.
 */
export class PlatformServices implements Platform {
  readonly names: NamesProfile
  readonly clock: Clock
  readonly access: PlaneAccess
  readonly tokenKeys: JwtKeys
  /** Signer of service account tokens. */
  readonly tokenSigner: TokenSigner
  /** Keys of the OpenID provider's tokens, used for nothing else. */
  readonly identityKeys: JwtKeys
  readonly passwords: Passwords
  readonly logins: SharedLogins
  readonly #options: PlatformServicesOptions
  readonly #guesses: LoginThrottle
  readonly #secrets: DerivedSecrets
  readonly #syncTrials: SyncTrials
  #started: StartedServices | undefined
  #address: (() => ServedAddress) | undefined

  constructor(options: PlatformServicesOptions) {
    const { names, clock, access, random, keeper, logins, report } = options
    this.#options = options
    this.names = names
    this.clock = clock
    this.access = access
    this.passwords = new Passwords(random)
    this.logins = logins
    this.#guesses = new LoginThrottle({
      ...{ clock, report },
      shared: logins.buckets,
      subject: 'password change',
    })
    this.#syncTrials = new SyncTrials({ domain: names.domain, clock })
    this.tokenKeys = new JwtKeys({
      keeper: keeper('pki/token-signing-keys.json'),
      clock,
      maxLifeMs: longestEndpointTokenSeconds * 1000,
    })
    this.tokenSigner = tokenSigner(options)
    this.identityKeys = new JwtKeys({
      keeper: keeper('pki/identity-signing-keys.json'),
      clock,
      maxLifeMs: identityKeyKeptMs,
    })
    this.#secrets = new DerivedSecrets(keeper('agent-key-secret'), random)
  }

  bind(started: StartedServices): void {
    this.#started = started
  }

  /** Binds the address, a function because certificates are renewed. */
  bindAddress(address: () => ServedAddress): void {
    this.#address = address
  }

  takeGuess(user: string): Promise<TakenAttempt> {
    // Only requests of that user, or of its impersonators, count: others are not affected.
    return this.#guesses.take(`user ${user}`, user)
  }

  projectNamespacePrefix(): string {
    return this.#options.config.current().projectNamespacePrefix
  }

  ensureProjectNamespace(project: ApiObject): Promise<void> {
    return this.#services().projects.ensure(project)
  }

  url(): string {
    return this.#served().url
  }

  issuer(): string {
    return this.#served().issuer
  }

  host(): string | undefined {
    // Sound by the schema of the configuration, and not a secret.
    const status = this.#options.config.view(true).status as Record<string, string | undefined>
    const host = status[`${this.names.platform}Host`]
    return host === '' ? undefined : host
  }

  caCertificate(): string | undefined {
    return this.#served().caCertificate
  }

  /** PEM of the CA that signs client certificates; undefined: the server cannot sign. */
  authorityCertificate(): string | undefined {
    return this.#served().authority?.cert
  }

  async issueClientCertificate(
    subject: CertificateSubject,
    lifeSeconds: number,
  ): Promise<ClientCertificate | undefined> {
    const { authority } = this.#served()
    if (authority === undefined) return undefined
    const { issueClient } = await import('../http/pki/issueCertificates.ts')
    return issueClient(authority, { ...subject, lifeMs: lifeSeconds * 1000 }, this.#options)
  }

  authenticate(key: string): UserInfo | undefined {
    return this.#services().authenticator.authenticate(key)
  }

  /** The identity of a User object by name; undefined: it does not exist. */
  identityOf(user: string): Identity | undefined {
    return this.#services().identities.user(user)
  }

  teamsOf(user: string): readonly string[] {
    return this.#services().identities.user(user)?.teams ?? []
  }

  /** The teams of a user with these groups; none before the server runs. */
  teamsWith(user: string, groups: readonly string[]): readonly string[] {
    return this.#started?.identities.teamsWith(user, groups) ?? []
  }

  derivedAccessKey(purpose: string): Promise<string> {
    return this.#secrets.secretFor(purpose)
  }

  trySync(trial: SyncTrial): Promise<SyncTrialResult> {
    return this.#syncTrials.try(trial)
  }

  /** Stops services that were started on demand. */
  close(): Promise<void> {
    return this.#syncTrials.close()
  }

  #services(): StartedServices {
    if (this.#started === undefined) throw new Error('the platform is asked before it has started')
    return this.#started
  }

  #served(): ServedAddress {
    if (this.#address === undefined) throw new Error('the server is asked before it listens')
    return this.#address()
  }
}
