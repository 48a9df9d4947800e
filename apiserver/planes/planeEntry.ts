import type { AuthorizationAttributes, AuthorizationDecision } from '../authorization/authorizer.ts'
import type { Authenticator } from '../endpoints/chainServices.ts'
import type { Exchange, Plane } from '../endpoints/exchange.ts'
import { refusal } from '../endpoints/response/forbidden.ts'
import { bounded, DeadlineError } from '../meta/waiting/bounded.ts'
import { notFound, serviceUnavailable } from '../meta/statusErrors.ts'
import type { UserInfo } from '../meta/types.ts'
import { groupResource, type ResourceDefinition } from '../registry/resource.ts'
import type { ResourceSet } from '../registry/resourceSet.ts'
import type { Store } from '../registry/store.ts'
import type { Entry } from '../watch/cacheEntry.ts'
import { roleWithin } from '../apis/management/instances/rolesWithin.ts'
import { planeUser } from './startBindings.ts'
import type { OpenedPlane } from './openedPlane.ts'
import { useOf, type PlaneObject } from './planeObject.ts'
import type { OpenPlaneEntry, PlaneServices } from './planeServices.ts'

/**
 * Time limit for opening, which reads a few kinds from storage, and the first time writes a few
 * dozen objects.
 */
const openMs = 30_000

/**
 * Entry point of requests to a plane. An idle plane keeps only its entry point. Everything else is
 * created for the first request of a user with access to the plane's object, and dropped after some
 * time without requests.
 * Source: platform facts 5 and 7.1 (`use`).
 */
export class PlaneEntry implements Plane, OpenPlaneEntry {
  readonly object: PlaneObject
  /** Uid of the object; undefined: it does not exist, and users with access to such objects get NotFound. */
  readonly uid: string | undefined
  readonly authenticator: Authenticator
  usedAt = 0
  readonly #services: PlaneServices
  #opened: OpenedPlane | undefined
  #opening: Promise<void> | undefined
  /** Aborted when the object is deleted, or the server stops. */
  readonly #ended = new AbortController()
  #isGone = false
  #requests = 0
  #planeUsers = new WeakMap<UserInfo, UserInfo>()
  #planeUsersOf: Entry | undefined

  constructor(object: PlaneObject, uid: string | undefined, services: PlaneServices) {
    this.object = object
    this.uid = uid
    this.#services = services
    this.authenticator = services.authenticatorOf(object)
  }

  get resources(): ResourceSet {
    return this.#opened?.plane.resources ?? this.#services.kinds.planeKinds.set
  }

  get auditTarget() {
    return this.object.audited
  }

  get access(): object | undefined {
    return this.#opened?.access
  }

  get admission() {
    return this.#opened?.plane.admission
  }

  get isOpen(): boolean {
    return this.#opened !== undefined
  }

  get isIdle(): boolean {
    return this.#requests === 0 && this.#opening === undefined
  }

  storeOf(resource: ResourceDefinition): Store {
    return this.#here().plane.storeOf(resource)
  }

  authorize(
    request: AuthorizationAttributes,
  ): AuthorizationDecision | Promise<AuthorizationDecision> {
    return this.#here().plane.authorize(request)
  }

  serveDocument(exchange: Exchange): Promise<boolean> {
    return this.#here().plane.serveDocument(exchange)
  }

  /**
   * Admits a request. @throws StatusError Forbidden if the user may not use the object; NotFound if it does not exist.
   */
  enter(exchange: Exchange): void | Promise<void> {
    if (exchange.user.credential?.isServiceAccount !== true) this.#admit(exchange)
    return this.hold(exchange)
  }

  /** Keeps the plane open for an admitted request, and opens it if necessary. */
  hold(exchange: Exchange): void | Promise<void> {
    if (this.#isGone) throw this.#notFound()
    this.#requests++
    exchange.onFinish(() => {
      this.#requests--
      this.usedAt = this.#services.clock.now()
    })
    if (this.#opened === undefined) return this.#open()
  }

  /** Checks the right to use the plane, except for the plane's own service accounts. */
  #admit(exchange: Exchange): void {
    const { user } = exchange
    const use = useOf(this.object, user)
    const decision = this.#services.mayUse(use)
    if (!decision.allowed) throw refusal(exchange, use, decision.reason)
    exchange.user = this.#planeUser(user)
  }

  /** The open plane, for the server's own use; it is opened if necessary. The signal ends the wait. */
  async opened(signal?: AbortSignal): Promise<OpenedPlane> {
    const { clock } = this.#services
    const bounds = { clock, ms: openMs, what: 'opening a control plane' }
    const signals = signal === undefined ? [] : [signal]
    if (this.#opened === undefined) await bounded({ ...bounds, signals }, () => this.#open())
    return this.#here()
  }

  drop(): void {
    this.#opened?.close()
    this.#opened = undefined
  }

  /** Closes the plane of a deleted object. */
  close(): void {
    this.#isGone = true
    this.#ended.abort(this.#notFound())
    this.#opened?.plane.refuseWrites()
    this.drop()
  }

  /** Stops watches and controllers at shutdown; running requests continue. */
  stop(): void {
    this.#ended.abort(serviceUnavailable('the server is shutting down'))
    this.#opened?.close()
  }

  /** The user within the plane; the role is determined again when the object changes. */
  #planeUser(user: UserInfo): UserInfo {
    const { store, name } = this.object
    const entry = store.cache.get(store.keyOf(name))
    if (entry === undefined || this.#isGone) throw this.#notFound()
    if (entry !== this.#planeUsersOf) {
      this.#planeUsers = new WeakMap()
      this.#planeUsersOf = entry
    }
    let found = this.#planeUsers.get(user)
    if (found === undefined) {
      const { names } = this.#services
      found = planeUser(user, roleWithin(entry.object(), user, names), names)
      this.#planeUsers.set(user, found)
    }
    return found
  }

  #open(): Promise<void> {
    this.#opening ??= this.#make().finally(() => (this.#opening = undefined))
    return this.#opening
  }

  async #make(): Promise<void> {
    const { uid, object } = this
    if (uid === undefined) throw this.#notFound()
    const services = this.#services
    const what = `opening the control plane of ${object.store.resource.plural} ${object.name.name}`
    const bounds = { clock: services.clock, ms: openMs, what, signals: [this.#ended.signal] }
    const opened = await bounded(bounds, (signal) => services.open(object, uid, signal)).catch(
      tooLate,
    )
    if (this.#ended.signal.aborted) {
      opened.close()
      throw this.#notFound()
    }
    this.#opened = opened
    this.usedAt = this.#services.clock.now()
    this.#services.onOpen(this)
  }

  #here(): OpenedPlane {
    if (this.#opened === undefined) throw this.#notFound()
    return this.#opened
  }

  #notFound(): Error {
    const { store, name } = this.object
    return notFound(groupResource(store.resource), name.name)
  }
}

/** Converts a timeout into an error that clients retry. */
function tooLate(error: unknown): never {
  throw error instanceof DeadlineError ? serviceUnavailable(error.message, 1) : error
}
