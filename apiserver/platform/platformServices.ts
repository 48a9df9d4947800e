import { join } from 'node:path'
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
import { LoginThrottle } from './logins/loginThrottle.ts'
import type { Clock, Random } from '../meta/clock.ts'
import type { NamesProfile } from '../meta/names/namesProfile.ts'
import type { ApiObject, UserInfo } from '../meta/types.ts'
import type { CertifiedKey } from '../http/pki/certificate.ts'
import type { PlatformConfig } from '../platformConfig/platformConfig.ts'
import { secretKeeper } from '../runtime/secretFile.ts'
import { SyncTrials } from './syncTrials.ts'
import { tokenSigner } from '../controlPlane/serviceAccounts.ts'

/** How long a key of the OpenID provider is shown after its last token: clients also log out by old ones. */
const identityKeyKeptMs = 30 * 24 * 60 * 60 * 1000

export interface PlatformServicesOptions {
  names: NamesProfile
  clock: Clock
  random: Random
  access: PlaneAccess
  config: PlatformConfig
  /** Keeps keys between starts; undefined: they are kept in memory. */
  dataDir: string | undefined
}

/** What starts after the kinds are made. */
export interface StartedServices {
  authenticator: AccessKeyAuthenticator
  identities: Identities
  projects: ProjectNamespaces
}

/** Where the server is reached, and what it signs with. */
export interface ServedAddress {
  url: string
  caCertificate: string | undefined
  /** Undefined: the server cannot sign. */
  authority: CertifiedKey | undefined
}

/** The running platform. Kinds are made before what they ask for has started, so that it is bound when it stands; asking
 *  earlier is a mistake of the program and throws. */
export class PlatformServices implements Platform {
  readonly names: NamesProfile
  readonly clock: Clock
  readonly access: PlaneAccess
  readonly tokenKeys: JwtKeys
  /** Of the tokens of service accounts. */
  readonly tokenSigner: TokenSigner
  /** Of the tokens of the OpenID provider, which are for its clients alone. */
  readonly identityKeys: JwtKeys
  readonly passwords: Passwords
  readonly #options: PlatformServicesOptions
  readonly #guesses: LoginThrottle
  readonly #secrets: DerivedSecrets
  readonly #syncTrials: SyncTrials
  #started: StartedServices | undefined
  #address: (() => ServedAddress) | undefined

  constructor(options: PlatformServicesOptions) {
    const { names, clock, access, random, dataDir } = options
    this.#options = options
    this.names = names
    this.clock = clock
    this.access = access
    this.passwords = new Passwords(random)
    this.#guesses = new LoginThrottle(clock)
    this.#syncTrials = new SyncTrials({ domain: names.domain, clock })
    const keeper = secretKeeper(dataDir, join('pki', 'token-signing-keys.json'))
    this.tokenKeys = new JwtKeys({ keeper, clock, maxLifeMs: longestEndpointTokenSeconds * 1000 })
    this.tokenSigner = tokenSigner(options)
    this.identityKeys = new JwtKeys({
      keeper: secretKeeper(dataDir, join('pki', 'identity-signing-keys.json')),
      clock,
      maxLifeMs: identityKeyKeptMs,
    })
    this.#secrets = new DerivedSecrets(secretKeeper(dataDir, 'agent-key-secret'), random)
  }

  bind(started: StartedServices): void {
    this.#started = started
  }

  /** The address is asked for each time, since certificates are renewed. */
  bindAddress(address: () => ServedAddress): void {
    this.#address = address
  }

  takeGuess(user: string): () => void {
    // Whoever guesses is logged in as that user, or acts for him: nobody else is held back.
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

  host(): string | undefined {
    // The schema of the configuration says that it is a text, and no secret.
    const status = this.#options.config.view(true).status as Record<string, string | undefined>
    const host = status[`${this.names.platform}Host`]
    return host === '' ? undefined : host
  }

  caCertificate(): string | undefined {
    return this.#served().caCertificate
  }

  /** PEM of what client certificates are signed with; undefined: the server cannot sign. */
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

  /** By the name of a User object; undefined: there is none. */
  identityOf(user: string): Identity | undefined {
    return this.#services().identities.user(user)
  }

  teamsOf(user: string): readonly string[] {
    return this.#services().identities.user(user)?.teams ?? []
  }

  /** None before the server runs. */
  teamsWith(user: string, groups: readonly string[]): readonly string[] {
    return this.#started?.identities.teamsWith(user, groups) ?? []
  }

  derivedAccessKey(purpose: string): Promise<string> {
    return this.#secrets.secretFor(purpose)
  }

  trySync(trial: SyncTrial): Promise<SyncTrialResult> {
    return this.#syncTrials.try(trial)
  }

  /** Ends what was started when it was first asked for. */
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
