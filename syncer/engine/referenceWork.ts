import type { PatchRule } from '../config/patchRule.ts'
import type { SyncConfig } from '../config/syncConfig.ts'
import type { ObjectReference } from '../patches/references.ts'
import {
  FollowedReferences,
  readReferenceKey,
  type FollowedReferencesOptions,
} from './followedReferences.ts'
import { haveReferences } from './referencesOf.ts'
import { SyncFailure } from './syncFailure.ts'

/** A kind of referenced objects. */
export type ReferredKind = Pick<ObjectReference, 'apiVersion' | 'kind'>

export interface ReferenceWorkOptions extends FollowedReferencesOptions {
  config: SyncConfig
  /** Kinds referenced by an earlier configuration. */
  leftKinds: readonly ReferredKind[]
}

/** Kinds referenced by default. */
const usualKinds: readonly ReferredKind[] = [
  { apiVersion: 'v1', kind: 'Secret' },
  { apiVersion: 'v1', kind: 'ConfigMap' },
]
/** A key in the queue, distinct from those of references. */
const sweepKey = 'sweep'

/**
 * Manages objects referenced by patches: follows them, and once removes leftovers of earlier references. Without any
 * references, present or past, it sends no requests.
 */
export class ReferenceWork {
  readonly #options: ReferenceWorkOptions
  readonly #followed: FollowedReferences
  readonly #patches: readonly PatchRule[]
  /** Initial objects with references that are still unknown. */
  #unseen: Set<string> | undefined
  /** Kinds of referenced objects. */
  readonly #kinds = new Map<string, ReferredKind>()

  constructor(options: ReferenceWorkOptions) {
    this.#options = options
    this.#followed = new FollowedReferences(options)
    const { endpoints, services, namespaces } = options.config
    const used = [endpoints, services, namespaces].filter(({ enabled }) => enabled)
    this.#patches = used.flatMap(({ patches }) => patches)
  }

  get isNeeded(): boolean {
    return haveReferences(this.#patches)
  }

  /** Kinds that a later configuration may have to clean up. */
  kinds(): readonly ReferredKind[] {
    const constants = this.#patches.flatMap(({ reference }) => reference ?? [])
    return [...(this.isNeeded ? usualKinds : []), ...constants, ...this.#kinds.values()]
  }

  /** Starts with the existing objects, by the keys passed to `refer`. */
  start(owners: Iterable<string>): void {
    if (!this.isNeeded && this.#options.leftKinds.length === 0) return
    this.#unseen = new Set(this.isNeeded ? owners : [])
    this.#options.queue(sweepKey)
  }

  refer(owner: string, references: readonly ObjectReference[]): void {
    for (const { apiVersion, kind } of references) {
      this.#kinds.set(`${apiVersion} ${kind}`, { apiVersion, kind })
    }
    this.#followed.refer(owner, references)
    if (this.#unseen?.delete(owner) === true && this.#unseen.size === 0) {
      this.#options.queue(sweepKey)
    }
  }

  /** Handles a key. @throws SyncFailure: retry. */
  async work(key: string): Promise<void> {
    if (key === sweepKey) return this.#sweep()
    try {
      await this.#followed.sync(key)
    } catch (error) {
      throw new SyncFailure(readReferenceKey(key), error)
    }
  }

  async stop(): Promise<void> {
    await this.#followed.stop()
  }

  /** Removes leftovers: until the references of all objects are known, only copies of deleted objects. */
  async #sweep(): Promise<void> {
    const { references, leftKinds } = this.#options
    const isKnown = this.#unseen?.size === 0
    const isKept = (reference: ObjectReference) =>
      !isKnown || this.#followed.isReferredTo(reference)
    const kinds = [...this.kinds(), ...leftKinds].map(({ apiVersion, kind }) => [kind, apiVersion])
    for (const text of new Set(kinds.map((kind) => JSON.stringify(kind)))) {
      const [kind = '', apiVersion = ''] = JSON.parse(text) as string[] // created just above
      await references.sweep({ apiVersion, kind }, isKept).catch((error: unknown) => {
        throw new SyncFailure({ kind, namespace: '', name: '' }, error)
      })
    }
  }
}
