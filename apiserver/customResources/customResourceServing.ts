import { formOf } from '../registry/objectForm.ts'
import { WorkQueue } from '../runtime/workQueue.ts'
import type { Clock, Timer } from '../meta/clock.ts'
import type { ApiObject } from '../meta/types.ts'
import { ignoreNotFound } from '../registry/ignoring.ts'
import { subresourceStrategy } from '../registry/resource.ts'
import type { Store } from '../registry/store.ts'
import { systemContext } from '../registry/systemContext.ts'
import { acceptNames, type Acceptance, type TakenNames } from './acceptedNames.ts'
import {
  cleanupFinalizer,
  conditionIsTrue,
  type CustomResourceDefinition,
  type DefinitionNames,
} from './definition.ts'
import { letGo, withAcceptance, withDeletion } from './definitionStatus.ts'
import { deleteInstances } from './instances.ts'
import { ServedDefinition, type ServingOptions } from './servedDefinition.ts'

const retryMs = 500

export interface CustomResourceServingOptions extends ServingOptions {
  /** Store of CustomResourceDefinitions. */
  definitions: Store
  /**
   * Returns `next` with the server recorded as the manager of changed status fields. Changes
   * neither argument.
   */
  ownStatus: (live: ApiObject, next: ApiObject) => ApiObject
  clock: Clock
  /**
   * Resolves when all servers that share the storage serve the definitions written up to a
   * revision; undefined: they already do.
   */
  servedByAll: (revision: number) => Promise<void> | undefined
  /** Called with errors outside of requests. */
  report: (error: unknown) => void
}

/**
 * Serves the kinds of a plane's CustomResourceDefinitions. A kind is served from the turn in which
 * its definition is stored, so that the client can use it at once; the status is written
 * afterwards. Deleting a definition deletes its objects.
 */
export class CustomResourceServing {
  readonly #options: CustomResourceServingOptions
  readonly #served = new Map<string, ServedDefinition>()
  readonly #queue: WorkQueue
  readonly #retries = new Map<string, Timer>()
  #stopFollowing: (() => void) | undefined

  constructor(options: CustomResourceServingOptions) {
    this.#options = options
    const work = (name: string) => this.#reconcile(name)
    this.#queue = new WorkQueue({
      clock: options.clock,
      report: options.report,
      concurrency: 4,
      work,
    })
  }

  /** Resolves when every stored definition is served. */
  async start(): Promise<void> {
    const { definitions } = this.#options
    const { cache, keyPrefix } = definitions
    await cache.warm()
    const known = [...cache.all()].map((entry) => asDefinition(entry.object()))
    this.#stopFollowing = cache.onChange(({ key, entry }) => {
      const object = entry?.object()
      this.#changed(key.slice(keyPrefix.length), object && asDefinition(object))
    })
    // Previously accepted names take precedence over requested names.
    for (const definition of known)
      this.#of(definition).names = definition.status?.acceptedNames ?? {}
    for (const definition of known) this.#changed(definition.metadata.name ?? '', definition)
  }

  stop(): void {
    this.#stopFollowing?.()
    this.#queue.stop()
    for (const timer of this.#retries.values()) timer.cancel()
  }

  #of({ metadata: { name = '' }, spec: { group } }: CustomResourceDefinition): ServedDefinition {
    let served = this.#served.get(name)
    if (served === undefined)
      this.#served.set(name, (served = new ServedDefinition(group, this.#options)))
    return served
  }

  /** Handles a change. Must not throw, since it is called while a write is acknowledged. */
  #changed(name: string, definition: CustomResourceDefinition | undefined): void {
    const { report } = this.#options
    try {
      if (definition === undefined) this.#gone(name)
      else this.#serve(definition)
    } catch (error) {
      report(error)
    }
    if (definition !== undefined) this.#queue.add(name)
  }

  #gone(name: string): void {
    const served = this.#served.get(name)
    if (served === undefined) return
    this.#served.delete(name)
    served.withdraw()
    // Its names are now free, so other definitions of the group may get them.
    for (const [other, { group }] of this.#served) if (group === served.group) this.#again(other)
  }

  #again(name: string): void {
    const definition = this.#newest(name)
    if (definition !== undefined) this.#changed(name, definition)
  }

  #newest(name: string): CustomResourceDefinition | undefined {
    const { definitions } = this.#options
    const object = definitions.cache.get(definitions.keyOf({ namespace: '', name }))?.object()
    return object && asDefinition(object)
  }

  #serve(definition: CustomResourceDefinition): void {
    const served = this.#of(definition)
    const { names, condition } = this.#acceptance(definition)
    served.names = names
    if (definition.metadata.deletionTimestamp !== undefined) served.life.isTerminating = true
    const mayBeServed = condition.status === 'True' || conditionIsTrue(definition, 'Established')
    if (mayBeServed && areWhole(names)) served.serve(definition.spec, names)
  }

  #acceptance(definition: CustomResourceDefinition): Acceptance {
    return acceptNames(definition, this.#taken(definition))
  }

  /** Names used by other definitions and by the plane's own kinds. */
  #taken({ metadata, spec: { group } }: CustomResourceDefinition): TakenNames {
    const own = metadata.name ?? ''
    const others = [...this.#served]
      .filter(([name, served]) => name !== own && served.group === group)
      .map(([, { names }]) => names)
    const builtIn = this.#options.plane.resources
      .all()
      .filter((resource) => resource.group === group && !formOf(resource).isClientDefined)
    const all: Partial<DefinitionNames>[] = [
      ...others,
      ...builtIn.map(({ plural, singular, shortNames = [], kind }) => ({
        ...{ plural, singular, kind, listKind: `${kind}List` },
        shortNames: [...shortNames],
      })),
    ]
    return {
      resources: stringSet(
        all.flatMap((names) => [names.plural, names.singular, ...(names.shortNames ?? [])]),
      ),
      kinds: stringSet(all.flatMap(({ kind, listKind }) => [kind, listKind])),
    }
  }

  async #reconcile(name: string): Promise<void> {
    const definition = this.#newest(name)
    if (definition === undefined) return
    const { deletionTimestamp, finalizers = [] } = definition.metadata
    if (deletionTimestamp !== undefined) {
      if (finalizers.includes(cleanupFinalizer)) await this.#terminate(name)
      return
    }
    if (!conditionIsTrue(definition, 'Established'))
      await this.#options.servedByAll(Number(definition.metadata.resourceVersion ?? 0))
    await this.#write(name, (newest) => {
      if (newest.metadata.deletionTimestamp !== undefined) return newest
      const acceptance = this.#acceptance(newest)
      const isServed = this.#served.get(name)?.store() !== undefined
      return withAcceptance(newest, acceptance, { isServed, nowMs: this.#options.clock.now() })
    })
  }

  async #terminate(name: string): Promise<void> {
    const nowMs = this.#options.clock.now()
    const store = this.#served.get(name)?.store()
    if (store === undefined) {
      await this.#write(name, (newest) => letGo(withDeletion(newest, 'neverEstablished', nowMs)))
      return
    }
    await this.#write(name, (newest) => withDeletion(newest, 'inProgress', nowMs))
    const remaining = await deleteInstances(store)
    if (remaining.length > 0) return this.#retry(name)
    await this.#write(name, (newest) => letGo(withDeletion(newest, 'completed', nowMs)))
  }

  /** Retries a deletion, since clients' finalizers may keep objects. */
  #retry(name: string): void {
    if (this.#retries.has(name)) return
    const timer = this.#options.clock.setTimer(() => {
      this.#retries.delete(name)
      this.#queue.add(name)
    }, retryMs)
    this.#retries.set(name, timer)
  }

  async #write(
    name: string,
    change: (newest: CustomResourceDefinition) => CustomResourceDefinition,
  ): Promise<void> {
    const { definitions, ownStatus } = this.#options
    const strategy = subresourceStrategy(definitions.resource, 'status')
    if (strategy === undefined) return
    const transform = (old: ApiObject): ApiObject =>
      ownStatus(old, change(asDefinition(structuredClone(old))))
    await definitions
      .update({ namespace: '', name }, { transform, strategy }, systemContext())
      .catch(ignoreNotFound)
  }
}

function asDefinition(object: ApiObject): CustomResourceDefinition {
  return object as CustomResourceDefinition // typed by the schema of the store
}

function areWhole(names: Partial<DefinitionNames>): names is DefinitionNames {
  return (names.plural ?? '') !== '' && (names.kind ?? '') !== ''
}

function stringSet(values: readonly (string | undefined)[]): ReadonlySet<string> {
  return new Set(values.filter((value): value is string => value !== undefined && value !== ''))
}
