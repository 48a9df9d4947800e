import { runSteps } from '../meta/waiting/steps.ts'
import { formOf } from './objectForm.ts'
import { deepCopy } from '../meta/json/plainMembers.ts'
import { generateName } from '../meta/names/nameGenerator.ts'
import type { StatusError } from '../meta/status.ts'
import { alreadyExists, conflict, generateNameConflict, notFound } from '../meta/statusErrors.ts'
import {
  groupVersionString,
  type ApiObject,
  type GroupResource,
  type ObjectMeta,
} from '../meta/types.ts'
import type { Storage, StoredValue, ValueTemplate } from '../storage/storage.ts'
import { typeLength } from '../watch/objectFrame.ts'
import { WatchCache } from '../watch/watchCache.ts'
import { beforeCreate, type SchemaCheck } from './write/beforeCreate.ts'
import { checkPreconditions, decideDelete } from './write/beforeDelete.ts'
import { checkDeleteOptions, type DeleteOptions } from './write/deleteOptions.ts'
import { dropLaterOwners, fillSystemMetadata, refuseRevision } from './write/metadataSteps.ts'
import { decodeObject, encodeObject, computedBytes, objectBytes } from './objectBytes.ts'
import { Undecided } from './write/undecided.ts'
import { ConvertedStorage } from './versions/convertedStorage.ts'
import { PendingConversion, whenConverted } from './versions/remoteConversion.ts'
import { RemoteStorage } from './versions/remoteStorage.ts'
import { groupResource, selectableValues, type ResourceDefinition } from './resource.ts'
import { schemaValidatorOf } from './schema/schemaValidator.ts'
import { newestState } from './read/newestState.ts'
import { storageErrorText } from './write/storageErrorText.ts'
import { removeObject, type LastState } from './write/removeObject.ts'
import { reviewOf, type ReviewedWrite } from './write/reviewedWrite.ts'
import {
  allDurable,
  Judgement,
  settledRefusal,
  shownIsDurable,
  writeEnded,
} from './settledRefusal.ts'
import { isAlreadyExists, isRevisionConflict, toStatusError } from './storageErrors.ts'
import type { ObjectLookup, RequestContext } from './strategy.ts'
import { asStored } from './versions/convertedObject.ts'
import type { Deleted, GuardedWrite, ObjectName, StoreOptions, Written } from './storeTypes.ts'
import { guardOf, updateObject, type UpdateRequest } from './write/updateObject.ts'
import { pauseOf } from './userTurns.ts'
import { needsAuthorization } from './write/writeAuthorization.ts'

const generateNameAttempts = 8

/** Limits of the newest changes kept for watches; resources that are not served have none. */
const forWatchers = { maxEvents: 100_000, maxBytes: 64 * 1024 * 1024 }
const forNobody = { maxEvents: 0, maxBytes: 0 }

const passing = Promise.resolve(() => [])

/**
 * The generic registry: one class for all kinds, customized by the kind's strategy. Errors are StatusErrors. Source:
 * reference 3 and 10.
 */
export class Store {
  readonly resource: ResourceDefinition
  readonly cache: WatchCache
  readonly options: StoreOptions
  /** The storage, if another program converts its objects. */
  readonly remote: RemoteStorage | undefined
  readonly #stored: Storage
  readonly #subject: GroupResource

  constructor(given: StoreOptions) {
    const options = { ...given, storage: storageFor(given) }
    this.remote = options.storage instanceof RemoteStorage ? options.storage : undefined
    this.#stored = given.storage
    const { resource, storage, clock, planePrefix, report } = options
    this.options = options
    this.resource = resource
    this.#subject = groupResource(resource)
    this.cache = new WatchCache({
      storage,
      clock,
      prefix: keyPrefixOf(planePrefix, resource),
      fieldsOf: this.fieldsOf,
      typeLength: untypedBytes(resource),
      limits: resource.verbs.length === 0 ? forNobody : forWatchers,
      report,
    })
  }

  /** The values of the resource's own selectable fields. */
  readonly fieldsOf = (object: ApiObject): Record<string, string> =>
    selectableValues(this.resource, object)

  /** The apiVersion of its objects. */
  get apiVersion(): string {
    return groupVersionString(this.resource)
  }

  get keyPrefix(): string {
    return keyPrefixOf(this.options.planePrefix, this.resource)
  }

  keyOf({ namespace, name }: ObjectName): string {
    return this.resource.namespaced
      ? `${this.keyPrefix}${namespace}/${name}`
      : `${this.keyPrefix}${name}`
  }

  /** Name and namespace of a key. */
  nameOf(key: string): ObjectName {
    const own = key.slice(this.keyPrefix.length)
    const slash = this.resource.namespaced ? own.indexOf('/') : -1
    return { namespace: own.slice(0, Math.max(0, slash)), name: own.slice(slash + 1) }
  }

  /** The check of a whole object by its schema, compiled at first use. */
  schemaCheck({ isTrusted }: RequestContext): Promise<SchemaCheck> {
    // The server's own objects are valid; compiling the check would only delay the start.
    return isTrusted === true ? passing : schemaValidatorOf(this.resource).load()
  }

  /**
   * Stores a new object under its name, or under a generated name. `object` is canonical, owned by the caller, and
   * modified.
   * @throws StatusError AlreadyExists, Invalid, and errors of admission.
   */
  async create(object: ApiObject, context: RequestContext): Promise<Written> {
    const check = await this.schemaCheck(context)
    const { strategy } = this.resource
    if (strategy.ready !== undefined) await strategy.ready(context)
    const reviewed = reviewOf(this, 'CREATE', context)
    const mutated = reviewed?.mutated(object) ?? object
    const admitted = mutated instanceof Promise ? await mutated : mutated
    dropLaterOwners(admitted, context)
    const { name, generateName: prefix, namespace = '' } = admitted.metadata
    if (name === undefined && prefix !== undefined)
      admitted.metadata.name = this.#freeName(prefix, namespace)
    const { storage } = this.options
    const judgement = new Judgement(storage)
    for (;;) {
      judgement.begin()
      try {
        return await this.#createUncontested(admitted, { check, reviewed }, context)
      } catch (error) {
        const refusal = await this.#refusalOf(error, admitted.metadata)
        if (!(await judgement.isOutdated(error))) throw refusal
      }
    }
  }

  /** Generated name that is free, or the last attempt. */
  #freeName(prefix: string, namespace: string): string {
    const { hasSuffixes = true } = this.resource.strategy
    if (!hasSuffixes) return prefix
    for (let attempt = 1; ; attempt++) {
      const name = generateName(prefix, this.options.random)
      const isFree = this.options.storage.newest(this.keyOf({ namespace, name })) === undefined
      if (isFree || attempt === generateNameAttempts) return name
    }
  }

  /**
   * Replaces an object by the result of `request.transform` for its newest state, repeated if another writer was first.
   * @throws StatusError NotFound, Conflict, Invalid, and errors of the transform.
   */
  async update(
    target: ObjectName,
    request: UpdateRequest,
    context: RequestContext,
  ): Promise<Written> {
    const checkSchema = await this.schemaCheck(context)
    const { strategy } = this.resource
    if (strategy.ready !== undefined) await strategy.ready(context)
    return updateObject(this, target, { ...request, checkSchema, context })
  }

  /**
   * Removes an object, or marks it if finalizers or a grace period keep it.
   * @throws StatusError NotFound, Conflict (preconditions), Invalid (options).
   */
  async delete(
    target: ObjectName,
    options: DeleteOptions,
    context: RequestContext,
  ): Promise<Deleted> {
    checkDeleteOptions(options)
    const { storage } = this.options
    const judgement = new Judgement(storage)
    for (;;) {
      judgement.begin()
      try {
        const deleted = await this.#deleteOnce(target, options, context)
        if (deleted !== undefined) return deleted
      } catch (error) {
        if (isRevisionConflict(error)) continue
        if (error instanceof PendingConversion) {
          await error.done
          continue
        }
        const refusal = await settledRefusal(storage, error)
        if (await judgement.isOutdated(error)) continue
        throw toStatusError(refusal, this.#subject, target.name)
      }
    }
  }

  /**
   * The durable state of an object, which clients may see; it waits for a pending write.
   * @throws StatusError NotFound.
   */
  async durable(target: ObjectName): Promise<ApiObject> {
    const { storage } = this.options
    const key = this.keyOf(target)
    await newestState(storage)
    await writeEnded(storage, key)
    const stored = await storage.get(key)
    if (stored === undefined) throw notFound(this.#subject, target.name)
    return decodeObject(stored.value)
  }

  /**
   * The newest state of an object, including pending writes: for decisions about a following write, not for responses.
   * @throws StatusError NotFound.
   */
  newest(target: ObjectName): { stored: StoredValue; object: ApiObject } {
    const stored = this.options.storage.newest(this.keyOf(target))
    if (stored === undefined) throw notFound(this.#subject, target.name)
    return { stored, object: decodeObject(stored.value) }
  }

  /** Reports whether the object exists, including pending writes. */
  holds(target: ObjectName): boolean {
    return this.options.storage.newest(this.keyOf(target)) !== undefined
  }

  /**
   * Creates an object, repeatedly if a write of another server came between the checks and the
   * write. In a shared storage `object` stays unchanged, so that it can be checked again.
   */
  #createUncontested(
    object: ApiObject,
    parts: { check: SchemaCheck; reviewed: ReviewedWrite | undefined },
    context: RequestContext,
  ): Promise<Written> {
    return this.options.storage.isShared
      ? this.#createAgain(object, parts, context)
      : this.#createOnce(object, parts, context)
  }

  async #createAgain(
    object: ApiObject,
    parts: { check: SchemaCheck; reviewed: ReviewedWrite | undefined },
    context: RequestContext,
  ): Promise<Written> {
    for (;;) {
      try {
        return await this.#createOnce(deepCopy(object), parts, context)
      } catch (error) {
        if (error instanceof Undecided) await error.ended
        else if (!isRevisionConflict(error)) throw error
      }
    }
  }

  async #createOnce(
    object: ApiObject,
    { check, reviewed }: { check: SchemaCheck; reviewed: ReviewedWrite | undefined },
    context: RequestContext,
  ): Promise<Written> {
    const { clock, random, storage, admit } = this.options
    const { resource } = this
    fillSystemMetadata(object.metadata, clock, random)
    const { strategy } = resource
    if (needsAuthorization(strategy, context)) {
      await strategy.authorizeWrite(object, undefined, context)
    }
    const write = creationOf(object, resource)
    admit(write)
    const guard = guardOf(this)
    const preparing = runSteps(beforeCreate(object, resource, check, context), pauseOf(context))
    if (preparing instanceof Promise) {
      await preparing
      admit(write)
    }
    const validated = reviewed?.validated(object, undefined)
    if (validated !== undefined) {
      await validated
      admit(write)
    }
    const template = encodeObject(object)
    const converting = this.#converting(template, context)
    if (converting !== undefined) {
      await converting
      admit(write)
    }
    const key = this.keyOf({ namespace: write.namespace, name: object.metadata.name ?? '' })
    // A dry run stores nothing: its response contains the request's value.
    if (context.dryRun) return this.#tried(object, key, reviewed?.charged(object, undefined))
    const { charged, created } = storage.together(() => {
      const charging = reviewed?.charged(object, undefined)
      charging?.catch(() => undefined) // the create also fails, or is refused below
      refuseRevision(object.metadata)
      return { charged: charging, created: storage.create(key, template, guard) }
    })
    const { value } =
      charged === undefined ? await created : (await Promise.all([created, charged]))[0]
    const bytes = this.#revealed(value, object)
    if (strategy.afterCreate !== undefined) await strategy.afterCreate(object, context)
    return { bytes, created: true }
  }

  /**
   * Refuses to delete an object as unreadable, since objects are always readable here. Source: seen
   * on kube-apiserver 1.37.2.
   */
  #refuseUnsafe(options: DeleteOptions, target: ObjectName): void {
    if (options.ignoreStoreReadErrorWithClusterBreakingPotential !== true) return
    const why = 'unsafe deletion is not allowed because the object is decodable from storage'
    const text = storageErrorText(this.resource, target, why)
    throw conflict(this.#subject, target.name, text)
  }

  /** Resolves when the object can be stored in the caller's turn; undefined: it already can. */
  #converting(template: ValueTemplate, { dryRun }: RequestContext): Promise<void> | undefined {
    return dryRun ? undefined : this.remote?.prepareWrite(template)
  }

  /** The result of a dry run. */
  async #tried(
    object: ApiObject,
    key: string,
    charged: Promise<unknown> | undefined,
  ): Promise<Written> {
    const { storage } = this.options
    const { name = '', resourceVersion } = object.metadata
    if (storage.newest(key) !== undefined) throw alreadyExists(this.#subject, name)
    await Promise.all([allDurable(storage), charged])
    const shown = whenConverted(() => asStored(object, this.resource))
    const bytes = objectBytes(shown instanceof Promise ? await shown : shown, resourceVersion)
    return { bytes: this.#revealed(bytes, object), created: true }
  }

  /** The error for a failed create. */
  async #refusalOf(error: unknown, metadata: ObjectMeta): Promise<unknown> {
    const { storage } = this.options
    const { name = '' } = metadata
    const told = isAlreadyExists(error) ? this.#existsError(metadata) : error
    return toStatusError(await settledRefusal(storage, told), this.#subject, name)
  }

  #existsError({ name = '', namespace = '', generateName: prefix }: ObjectMeta): StatusError {
    // Metadata is the same in every version.
    const stored = this.#stored.newest(this.keyOf({ namespace, name }))
    const deletedAt = stored && decodeObject(stored.value).metadata.deletionTimestamp
    const why = deletedAt === undefined ? '' : 'object is being deleted: '
    return prefix === undefined
      ? alreadyExists(this.#subject, name, why)
      : generateNameConflict(this.#subject, name, why)
  }

  #revealed(bytes: Buffer, prepared: ApiObject): Buffer {
    const { strategy } = this.resource
    if (strategy.revealToCreator === undefined) return bytes
    const shown = decodeObject(bytes)
    strategy.revealToCreator(shown, prepared)
    return computedBytes(shown)
  }

  /** Reports whether an object of another kind exists in the same plane. */
  readonly #isThere: ObjectLookup = ({ group, resource: plural }, { namespace, name }) => {
    const { storage, planePrefix } = this.options
    const place = namespace === '' ? name : `${namespace}/${name}`
    return storage.newest(`${prefixOf(planePrefix, group, plural)}${place}`) !== undefined
  }

  /** The bytes of a deleted object: in a response it has the revision of its deletion, as for watchers. */
  #deletedBytes(object: ApiObject, stored: Buffer, revision: number): Buffer {
    return this.resource.strategy.deletion?.returnsObject === true
      ? objectBytes(object, revision)
      : stored
  }

  /** Result of one attempt; undefined: another write came in between. */
  async #deleteOnce(
    target: ObjectName,
    options: DeleteOptions,
    context: RequestContext,
  ): Promise<Deleted | undefined> {
    const { storage, clock, admit } = this.options
    const { resource } = this
    const found = this.newest(target)
    const { stored, object } = found
    checkPreconditions(options.preconditions, object, resource)
    this.#refuseUnsafe(options, target)
    resource.strategy.deletion?.validate?.(object, context)
    const decide = () =>
      decideDelete(object, { resource, options, nowMs: clock.now(), isThere: this.#isThere })
    const reviewed = reviewOf(this, 'DELETE', context)
    if (reviewed !== undefined) {
      await reviewed.deleted(object, target, decide())
      if (storage.newest(stored.key)?.revision !== stored.revision) return undefined
    }
    admit({ operation: 'delete', resource, ...target })
    const decision = decide()
    if (context.dryRun) await allDurable(storage)
    if (decision.act === 'remove') {
      const review = reviewed?.removed.bind(reviewed)
      return this.#remove(found, { marked: decision.marked, review }, context)
    }
    if (decision.act === 'wait') {
      await shownIsDurable(storage, stored)
      return { object, bytes: stored.value, isGone: false }
    }
    const { object: marked } = decision
    if (context.dryRun)
      return { object: marked, bytes: objectBytes(marked, stored.revision), isGone: false }
    const { value } = await storage.update(stored.key, encodeObject(marked), stored.revision)
    return { object: marked, bytes: value, isGone: false }
  }

  async #remove(
    { stored, object }: { stored: StoredValue; object: ApiObject },
    state: LastState,
    { dryRun }: RequestContext,
  ): Promise<Deleted> {
    const { marked } = state
    const last = marked ?? object
    // Called once the write has ended: until then it may be provisional.
    const storedBytes = () =>
      marked === undefined ? stored.value : objectBytes(marked, stored.revision)
    if (dryRun) return { object: last, bytes: storedBytes(), isGone: true }
    const revision = await removeObject(this.options.storage, stored, state)
    return { object: last, bytes: this.#deletedBytes(last, storedBytes(), revision), isGone: true }
  }
}

function creationOf({ metadata }: ApiObject, resource: ResourceDefinition): GuardedWrite {
  const { name = '', namespace = '' } = metadata
  return { operation: 'create', resource, namespace, name }
}

/**
 * Bytes to omit at the start of list items: items have no type, unless the form requires it.
 * Source: reference 0.4.
 */
function untypedBytes(resource: ResourceDefinition): number {
  if (formOf(resource).hasTypedItems) return 0
  return typeLength(resource.kind, groupVersionString(resource))
}

function storageFor({ storage, resource, planePrefix, clock }: StoreOptions): Storage {
  const { storedAs } = resource
  if (storedAs === undefined) return storage
  const { remote } = storedAs
  if (remote === undefined) return new ConvertedStorage(storage, resource, storedAs)
  return new RemoteStorage({ storage, resource, planePrefix, clock, form: { ...storedAs, remote } })
}

function keyPrefixOf(planePrefix: string, resource: ResourceDefinition): string {
  const { group, plural } = resource.storedAs?.resource ?? resource
  return prefixOf(planePrefix, group, plural)
}

function prefixOf(planePrefix: string, group: string, plural: string): string {
  return `${planePrefix}${group === '' ? 'core' : group}/${plural}/`
}
