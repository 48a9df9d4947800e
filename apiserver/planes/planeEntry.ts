import type { AuthorizationAttributes, AuthorizationDecision } from '../authorization/authorizer.ts'
import type { Authenticator } from '../endpoints/chainServices.ts'
import type { Exchange, Plane } from '../endpoints/exchange.ts'
import { refusal } from '../endpoints/response/forbidden.ts'
import { bounded, DeadlineError } from '../meta/bounded.ts'
import { notFound, serviceUnavailable } from '../meta/statusErrors.ts'
import type { UserInfo } from '../meta/types.ts'
import { groupResource, type ResourceDefinition } from '../registry/resource.ts'
import type { ResourceSet } from '../registry/resourceSet.ts'
import type { Store } from '../registry/store.ts'
import type { Entry } from '../watch/entry.ts'
import { entrant, roleWithin } from './startBindings.ts'
import type { OpenedPlane } from './openedPlane.ts'
import { useOf, type PlaneObject } from './planeObject.ts'
import type { OpenDoor, PlaneServices } from './planeServices.ts'

/** Opening reads what is stored of a few kinds, and at the first time writes some dozen objects. */
const openMs = 30_000

/** Where requests to a plane come in. It is all that stands of an idle plane: what is behind it is made for the first
 *  request of somebody who may use the plane's object, and dropped when nobody has asked for a while.
 *  Source: platform facts 5 and 7.1 (`use`). */
export class PlaneDoor implements Plane, OpenDoor {
  readonly object: PlaneObject
  /** Of the object; undefined: there is none, and everybody who may use such an object is told so. */
  readonly uid: string | undefined
  readonly authenticator: Authenticator
  usedAt = 0
  readonly #services: PlaneServices
  #opened: OpenedPlane | undefined
  #opening: Promise<void> | undefined
  /** The object is gone, or the server stops. */
  readonly #ended = new AbortController()
  #isGone = false
  #requests = 0
  #entrants = new WeakMap<UserInfo, UserInfo>()
  #entrantsOf: Entry | undefined

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

  /** @throws StatusError Forbidden to who may not use the object; NotFound where there is none. */
  enter(exchange: Exchange): void | Promise<void> {
    if (exchange.user.credential?.isServiceAccount !== true) this.#admit(exchange)
    return this.hold(exchange)
  }

  /** Keeps what is behind the door for a request that is let in, and makes it where it is not there. */
  hold(exchange: Exchange): void | Promise<void> {
    if (this.#isGone) throw this.#notFound()
    this.#requests++
    exchange.onFinish(() => {
      this.#requests--
      this.usedAt = this.#services.clock.now()
    })
    if (this.#opened === undefined) return this.#open()
  }

  /** Whoever is not of the plane itself needs the right to use it. */
  #admit(exchange: Exchange): void {
    const { user } = exchange
    const use = useOf(this.object, user)
    const decision = this.#services.mayUse(use)
    if (!decision.allowed) throw refusal(exchange, use, decision.reason)
    exchange.user = this.#entrant(user)
  }

  /** The open plane, for the server's own use: opens it where it is not. The signal ends the wait. */
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

  /** The object is gone, and with it the plane. */
  close(): void {
    this.#isGone = true
    this.#ended.abort(this.#notFound())
    this.#opened?.plane.refuseWrites()
    this.drop()
  }

  /** The server stops: watches and controllers end, running requests go on. */
  stop(): void {
    this.#ended.abort(serviceUnavailable('the server is shutting down'))
    this.#opened?.close()
  }

  /** What the platform gives the user inside is looked up anew when the object has changed. */
  #entrant(user: UserInfo): UserInfo {
    const { store, name } = this.object
    const entry = store.cache.get(store.keyOf(name))
    if (entry === undefined || this.#isGone) throw this.#notFound()
    if (entry !== this.#entrantsOf) {
      this.#entrants = new WeakMap()
      this.#entrantsOf = entry
    }
    let found = this.#entrants.get(user)
    if (found === undefined) {
      const { names } = this.#services
      found = entrant(user, roleWithin(entry.object(), user, names), names)
      this.#entrants.set(user, found)
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

/** Whoever waits for it may ask again. */
function tooLate(error: unknown): never {
  throw error instanceof DeadlineError ? serviceUnavailable(error.message, 1) : error
}
