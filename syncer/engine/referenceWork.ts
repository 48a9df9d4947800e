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

/** A kind of objects that are referred to. */
export type ReferredKind = Pick<ObjectReference, 'apiVersion' | 'kind'>

export interface ReferenceWorkOptions extends FollowedReferencesOptions {
  config: SyncConfig
  /** Kinds that an earlier configuration referred to objects of. */
  leftKinds: readonly ReferredKind[]
}

/** These are brought along without being asked for. */
const usualKinds: readonly ReferredKind[] = [
  { apiVersion: 'v1', kind: 'Secret' },
  { apiVersion: 'v1', kind: 'ConfigMap' },
]
/** In the queue, apart from the keys of references. */
const sweepKey = 'sweep'

/** What a syncer does for the objects that its patches refer to: follows them, and once removes what was brought along
 *  before and is not to stay. Where no patch refers to anything, and none did, it asks the planes nothing. */
export class ReferenceWork {
  readonly #options: ReferenceWorkOptions
  readonly #followed: FollowedReferences
  readonly #patches: readonly PatchRule[]
  /** Objects that were there at the start and of which is not known yet what they refer to. */
  #unseen: Set<string> | undefined
  /** Kinds that objects were referred to of. */
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

  /** The kinds that a later configuration may have to clean up after. */
  kinds(): readonly ReferredKind[] {
    const constants = this.#patches.flatMap(({ reference }) => reference ?? [])
    return [...(this.isNeeded ? usualKinds : []), ...constants, ...this.#kinds.values()]
  }

  /** Begins with the objects that are there, by the keys that `refer` is told. */
  start(owners: Iterable<string>): void {
    if (!this.isNeeded && this.#options.leftKinds.length === 0) return
    this.#unseen = new Set(this.isNeeded ? owners : [])
    this.#options.queue(sweepKey)
  }

  /** What an object refers to from now on. */
  refer(owner: string, references: readonly ObjectReference[]): void {
    for (const { apiVersion, kind } of references) {
      this.#kinds.set(`${apiVersion} ${kind}`, { apiVersion, kind })
    }
    this.#followed.refer(owner, references)
    if (this.#unseen?.delete(owner) === true && this.#unseen.size === 0) {
      this.#options.queue(sweepKey)
    }
  }

  /** Does what was asked for under a key. @throws SyncFailure: try again. */
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

  /** Until it is known what all objects refer to, only the copies of what is gone are removed. */
  async #sweep(): Promise<void> {
    const { references, leftKinds } = this.#options
    const isKnown = this.#unseen?.size === 0
    const isKept = (reference: ObjectReference) =>
      !isKnown || this.#followed.isReferredTo(reference)
    const kinds = [...this.kinds(), ...leftKinds].map(({ apiVersion, kind }) => [kind, apiVersion])
    for (const text of new Set(kinds.map((kind) => JSON.stringify(kind)))) {
      const [kind = '', apiVersion = ''] = JSON.parse(text) as string[] // made just above
      await references.sweep({ apiVersion, kind }, isKept).catch((error: unknown) => {
        throw new SyncFailure({ kind, namespace: '', name: '' }, error)
      })
    }
  }
}
