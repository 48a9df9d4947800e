import type { PluginChoice } from '../runtime/options/admissionPlugins.ts'
import { ClientCertificates } from '../authentication/certificates/clientCertificates.ts'
import type { AuthorizationAttributes, AuthorizationDecision } from '../authorization/authorizer.ts'
import { privilegedGroup } from '../authorization/privilegedGroup.ts'
import { superuserGroups } from '../authorization/superusers.ts'
import type { ControlPlaneOptions } from '../controlPlane/controlPlane.ts'
import type { ManagementPlane } from '../platform/managementPlane.ts'
import type { Clock, Random, Timer } from '../meta/clock.ts'
import type { Authenticator } from '../endpoints/chainServices.ts'
import type { NamesProfile } from '../meta/names/namesProfile.ts'
import type { DocumentWords } from '../controlPlane/planeKinds.ts'
import { withNewestCredentials } from '../controlPlane/newestCredentials.ts'
import { withServiceAccounts } from '../controlPlane/serviceAccounts.ts'
import type { ClusterController } from '../runtime/options/clusterControllers.ts'
import type { Storage, Subscription } from '../storage/storage.ts'
import { ClusterConditions } from './conditions/clusterConditions.ts'
import { clusterKinds, type ClusterKinds } from './clusterKinds.ts'
import { HostCopies, type HostPlane } from './hostCopies.ts'
import { InstanceSyncers } from './instanceSyncers.ts'
import { openPlane, type OpenedPlane, type PlaneExtension } from './openedPlane.ts'
import { planeAddress } from './planeAddress.ts'
import { planeAuthenticator, type Authenticators } from './planeAuthenticator.ts'
import { PlaneDirectory } from './planeDirectory.ts'
import type { PlaneEntry } from './planeEntry.ts'
import type { PlaneObject } from './planeObject.ts'
import type { LedPart, Leadership, Part } from '../runtime/leadership.ts'
import { planeKeyPrefix, PlaneRemoval, planesPrefix, uidOf } from './planeRemoval.ts'
import { PlaneTokens } from './planeTokens.ts'
import type { OpenPlaneEntry, PlaneServices } from './planeServices.ts'
import type { SpaceEntry } from './spaces/spaceEntry.ts'
import { spacesOf, type Spaces } from './spaces/spaces.ts'

export interface PlanesOptions {
  names: NamesProfile
  storage: Storage
  leadership: Leadership
  /**
   * Resolves when every server that shares the storage serves the writes up to a revision; undefined: they already do.
   */
  servedByAll: (revision: number) => Promise<void> | undefined
  clock: Clock
  random: Random
  management: ManagementPlane
  documents: Pick<ControlPlaneOptions, 'serveServerPath'> & Omit<DocumentWords, 'title'>
  /** Additional services of each plane. Default: none. */
  extensions?: readonly PlaneExtension[]
  /** Enabled admission plugins. Absent: none. */
  admissionPlugins?: PluginChoice
  /** Controllers of clusters that run. Default: all. */
  controllers?: ReadonlySet<ClusterController>
  limits?: Partial<PlaneLimits>
  /** Called with problems that users have to correct. Default: ignored. */
  warn?: (fields: Readonly<Record<string, string>>, message: string) => void
  report: (error: unknown) => void
}

export interface PlaneLimits {
  /** Time after which an unused plane is dropped from memory. Default 60,000. */
  idleMs: number
  /** Maximum number of open planes; beyond it the least recently used idle ones are dropped earlier. Default 256. */
  maxOpen: number
}

/** The server as a client of its own planes. */
const ownUser = {
  name: 'system:syncer',
  uid: '',
  groups: [privilegedGroup, 'system:authenticated'],
  extra: {},
}

const defaults: PlaneLimits = { idleMs: 60_000, maxOpen: 256 }
const checkMs = 5_000
/** Time during which a plane is likely to be used again. */
const freshMs = 1_000
/** Delay of the search for leftovers of a crash, which gives priority to the first requests. */
const sweepDelayMs = 2_000

/**
 * The control planes of clusters and virtual clusters. An idle plane consists only of its objects
 * in storage: everything else is created at the first request, and dropped when the plane is idle
 * again.
 */
export class Planes {
  readonly #options: PlanesOptions
  readonly #limits: PlaneLimits
  readonly #directory: PlaneDirectory
  readonly #removal: PlaneRemoval
  readonly #tokens: PlaneTokens
  readonly #services: PlaneServices
  readonly #syncers: InstanceSyncers
  readonly #spaces: Spaces
  readonly #open = new Set<OpenPlaneEntry>()
  #isClosed = false
  #timer: Timer | undefined
  #led: LedPart<Part> | undefined

  constructor(options: PlanesOptions) {
    const { names, clock, management, storage, report, warn = () => undefined } = options
    const { parts, platform } = management
    this.#options = options
    this.#limits = { ...defaults, ...options.limits }
    const copies = new HostCopies({
      storage,
      domain: names.domain,
      hostPlane: (cluster, signal) => this.#hostPlane(cluster, signal),
    })
    const before = async (uid: string, signal: AbortSignal) => {
      await this.#syncers.ended(uid, signal)
      await copies.move(uid, undefined, signal)
    }
    this.#removal = new PlaneRemoval({ storage, clock, report, before })
    const signer = platform.tokenSigner
    this.#tokens = new PlaneTokens({ names, storage, signer, url: () => platform.issuer() })
    const token = options.random.bytes(32).toString('hex')
    const authenticators = authenticatorsOf(options, token)
    let kinds: ClusterKinds | undefined // slow to create, and many servers have no cluster
    this.#services = {
      names,
      clock,
      get kinds() {
        return (kinds ??= clusterKinds(names, options.documents))
      },
      authenticatorOf: (object) =>
        this.#authenticator(planeAuthenticator(object, authenticators), object),
      mayUse: (use) => this.#mayUse(use),
      open: (object, uid, signal) => this.#openPlane(object, uid, signal),
      onOpen: (planeEntry) => this.#opened(planeEntry),
    }
    const clusters = parts.plane.storeOf(parts.kinds.clusters)
    const instances = parts.plane.storeOf(parts.kinds.virtualClusterInstances)
    const address = () => addressOf(management)
    this.#syncers = new InstanceSyncers({
      ...options,
      clusters,
      instances,
      token,
      address,
      copies,
      warn,
      projectNamespacePrefix: () => platform.projectNamespacePrefix(),
      isInstance: (uid) => this.#directory.uids().has(uid),
      openCluster: async (cluster, signal) =>
        (await this.#directory.find({ form: 'cluster', cluster }).opened(signal)).plane,
    })
    this.#directory = new PlaneDirectory({
      clusters,
      instances,
      services: this.#services,
      projectNamespacePrefix: () => management.platform.projectNamespacePrefix(),
      // The leading server removes it, and a server that starts to lead finds it.
      onGone: (uid) => {
        if (this.#led?.current !== undefined) this.#removal.remove(uid)
      },
    })
    this.#spaces = this.#openSpaces(authenticators)
  }

  /** Adds the plane's own service accounts to its users. */
  #authenticator(users: Authenticator, object: PlaneObject): Authenticator {
    const both = withServiceAccounts(users, this.#tokens.of(object))
    return withNewestCredentials(both, this.#options.storage)
  }

  #openSpaces(authenticators: Authenticators): Spaces {
    return spacesOf(this.#options.management, {
      ...this.#options,
      resources: this.#services.kinds.planeKinds.set,
      authenticatorOf: (object) => planeAuthenticator(object, authenticators),
      mayUse: (use) => this.#mayUse(use),
      clusterEntry: (cluster) => this.#directory.find({ form: 'cluster', cluster }),
    })
  }

  /** Watches the objects of planes, and removes the traces of deleted objects. */
  async start(): Promise<void> {
    await this.#directory.start()
    await this.#spaces.start()
    this.#led = await this.#options.leadership.lead(() => this.#lead())
  }

  /** Starts the controllers of all planes. */
  async #lead(): Promise<Part> {
    this.#syncers.start()
    const conditions = clusterConditions(this.#options)
    for (const one of conditions) one.start()
    const sweep = () =>
      this.#removal.sweep(
        () => this.#directory.uids(),
        (kept, signal) => this.#resume(kept, signal),
      )
    const timer = this.#options.clock.setTimer(sweep, sweepDelayMs)
    const following = await this.#openChanged()
    return {
      stop: () => {
        timer.cancel()
        following?.close()
        for (const one of conditions) one.stop()
        this.#syncers.pause()
      },
    }
  }

  /** Opens planes that are changed through other servers, because controllers of a plane run only where it is open. */
  async #openChanged(): Promise<Subscription | undefined> {
    const { storage, report } = this.#options
    if (!storage.isShared) return undefined
    return storage.watch(planesPrefix, storage.revision, (changes) => {
      const uids = new Set(changes.map(({ key }) => uidOf(key)))
      for (const planeEntry of this.#directory.entriesOf(uids)) {
        planeEntry.usedAt = this.#options.clock.now()
        if (!planeEntry.isOpen)
          void planeEntry.opened().catch((error: unknown) => {
            if (!this.#isClosed) report(error)
          })
      }
    })
  }

  /** The plane of a percent-decoded path, and the path below its prefix; undefined: the path has no such prefix. */
  find(path: string): { plane: PlaneEntry | SpaceEntry; path: string } | undefined {
    const found = planeAddress(path, this.#options.names.proxySegment)
    if (found === undefined) return undefined
    const { address, path: below } = found
    const plane =
      address.form === 'space' ? this.#spaces.find(address) : this.#directory.find(address)
    return { plane, path: below }
  }

  /** Number of planes in memory. */
  get openCount(): number {
    return this.#open.size
  }

  /** Resolves when the storage no longer has data of deleted planes. */
  removed(): Promise<void> {
    return this.#removal.settled()
  }

  /** Stops the controllers and ends the watches of all planes; running requests continue. */
  close(): void {
    this.#isClosed = true
    this.#timer?.cancel()
    this.#led?.stop()
    this.#removal.stop()
    this.#directory.stop()
    this.#spaces.stop()
    void this.#syncers.stop().catch(this.#options.report)
  }

  #mayUse(use: AuthorizationAttributes): AuthorizationDecision {
    const { scopes, rights } = this.#options.management.parts
    if (!scopes.reaches(use.user.credential?.scope, use)) {
      return { allowed: false, reason: 'the scope of the access key does not cover this request' }
    }
    return rights.authorizer.held(use)
  }

  #openPlane(object: PlaneObject, uid: string, signal: AbortSignal): Promise<OpenedPlane> {
    const { names, management, documents, extensions = [] } = this.#options
    const { parts } = management
    const { target } = object
    const authenticator = this.#services.authenticatorOf(object)
    return openPlane({
      ...this.#options,
      keyPrefix: planeKeyPrefix(uid),
      kinds: this.#services.kinds,
      serveServerPath: this.#tokens.serve(object, documents.serveServerPath),
      superusers: superuserGroups(names),
      scopeAllows: (request) => parts.scopes.check({ ...request, target }),
      authenticate: (token) => authenticator.authenticate(token),
      tokens: this.#tokens.of(object),
      signal,
      address: addressOf(management),
      extensions: [
        ...extensions,
        () => this.#options.leadership.lead(() => this.#syncers.follow(object)),
      ],
    })
  }

  async #hostPlane(cluster: string, signal: AbortSignal): Promise<HostPlane | undefined> {
    // Closed caches look empty, and an empty cluster has nothing to remove.
    if (this.#isClosed) throw new Error('the server stops')
    const planeEntry = this.#directory.find({ form: 'cluster', cluster })
    if (planeEntry.uid === undefined) return undefined
    const { plane } = await planeEntry.opened(signal)
    return { plane, keyPrefix: planeKeyPrefix(planeEntry.uid) }
  }

  /** Opens the virtual clusters with a host that were in use before, so that syncing resumes. */
  async #resume(used: ReadonlySet<string>, signal: AbortSignal): Promise<void> {
    for (const planeEntry of this.#directory.hostedInstances(used)) {
      // A plane that cannot be opened does not affect the others.
      await planeEntry.opened(signal).catch((error: unknown) => {
        if (!this.#isClosed) this.#options.report(error)
      })
    }
  }

  #opened(planeEntry: OpenPlaneEntry): void {
    this.#open.add(planeEntry)
    if (this.#open.size > this.#limits.maxOpen) this.#dropIdle()
    this.#timer ??= this.#options.clock.setTimer(() => this.#check(), checkMs)
  }

  #check(): void {
    this.#timer = undefined
    this.#dropIdle()
    if (this.#open.size > 0) {
      this.#timer = this.#options.clock.setTimer(() => this.#check(), checkMs)
    }
  }

  /** Drops planes that are idle for too long and, if there are too many, the least recently used ones. */
  #dropIdle(): void {
    const { idleMs, maxOpen } = this.#limits
    const now = this.#options.clock.now()
    const idle = [...this.#open].filter((planeEntry) => !planeEntry.isOpen || planeEntry.isIdle)
    for (const planeEntry of idle.sort((a, b) => a.usedAt - b.usedAt)) {
      const wait = this.#open.size > maxOpen ? freshMs : idleMs
      if (planeEntry.isOpen && now - planeEntry.usedAt < wait) continue
      planeEntry.drop()
      this.#open.delete(planeEntry)
    }
  }
}

function addressOf({ platform }: ManagementPlane) {
  return { url: platform.url(), caCertificate: platform.caCertificate() }
}

function authenticatorsOf(
  { names, clock, management }: PlanesOptions,
  token: string,
): Authenticators {
  const { authenticator, endpointTokens, identities, platform } = management
  return {
    names,
    accessKeys: authenticator,
    endpointTokens,
    own: { token, user: ownUser },
    certificates: new ClientCertificates({
      names,
      clock,
      identities,
      authority: () => platform.authorityCertificate(),
    }),
  }
}

function clusterConditions({ management, clock, report }: PlanesOptions): ClusterConditions[] {
  const { plane, kinds } = management.parts
  const clusters = plane.storeOf(kinds.clusters)
  const of = (instances: typeof kinds.clusters, needsCluster: boolean) =>
    new ClusterConditions({
      ...{ clusters, needsCluster, clock, report },
      instances: plane.storeOf(instances),
    })
  return [of(kinds.virtualClusterInstances, false), of(kinds.spaceInstances, true)]
}
