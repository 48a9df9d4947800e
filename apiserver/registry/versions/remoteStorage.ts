import type { Clock } from '../../meta/clock.ts'
import { StatusError } from '../../meta/status.ts'
import { internalError } from '../../meta/statusErrors.ts'
import { groupVersionString, qualified } from '../../meta/types.ts'
import type {
  Change,
  ChangePage,
  Guard,
  KeyRange,
  ListOptions,
  ListResult,
  Storage,
  StoredValue,
  Subscription,
  ValueTemplate,
} from '../../storage/storage.ts'
import { encodeObject, decodeObject } from '../objectBytes.ts'
import type { ResourceDefinition, StoredForm } from '../resource.ts'
import { writeEnded } from '../settledRefusal.ts'
import { ChangeConverter } from './changeConverter.ts'
import { inOrder } from './convertedObject.ts'
import { PendingConversion, type RemoteConversion } from './remoteConversion.ts'
import { NewestValue, WrappedStorage } from './wrappedStorage.ts'
import { ConvertedValues } from './convertedValues.ts'
import { unreadable, unreadableList } from './unreadable.ts'

export interface RemoteStorageOptions {
  storage: Storage
  resource: ResourceDefinition
  form: StoredForm & { remote: RemoteConversion }
  /** Prefix of the plane's keys; ends with a slash. */
  planePrefix: string
  clock: Clock
}

/**
 * Storage in terms of another version of a kind that another program converts. Values of that version are available at
 * once, others after their conversion, which is kept as long as the stored value. Changes are delivered in order as
 * they are converted, so the state that watches follow may lag behind: `reachNewest` waits for it.
 */
export class RemoteStorage extends WrappedStorage implements Storage {
  readonly #options: RemoteStorageOptions
  readonly #values: ConvertedValues
  readonly #templates = new WeakMap<ValueTemplate, ValueTemplate>()
  readonly #followers = new Set<ChangeConverter>()

  constructor(options: RemoteStorageOptions) {
    super(options.storage)
    this.#options = options
    this.#values = new ConvertedValues(options)
  }

  /** The revision up to which every change is delivered. */
  override get revision(): number {
    let revision = this.storage.revision
    for (const { position } of this.#followers) {
      if (position !== undefined) revision = Math.min(revision, position)
    }
    return revision
  }

  /** Resolves when an object can be written in the caller's turn; undefined: it already can. @throws StatusError. */
  prepareWrite(template: ValueTemplate): Promise<void> | undefined {
    const { form, resource } = this.#options
    const { version } = form.resource
    if (version === resource.version || this.#templates.has(template)) return undefined
    return this.#store(template).then(() => undefined)
  }

  /** Creates a value, which is converted before the check, unless `prepareWrite` was called before. */
  async create(key: string, value: ValueTemplate, guard?: Guard): Promise<StoredValue> {
    const stored = this.#known(value) ?? (await this.#store(value))
    return this.shown(await this.storage.create(key, stored, guard))
  }

  async update(
    key: string,
    value: ValueTemplate,
    expected: number,
    guard?: Guard,
  ): Promise<StoredValue> {
    const stored = this.#known(value) ?? (await this.#store(value))
    return this.shown(await this.storage.update(key, stored, expected, guard))
  }

  /** Newest value; reading it throws PendingConversion until it is converted. */
  newest(key: string): StoredValue | undefined {
    const stored = this.storage.newest(key)
    return stored && new NewestValue(stored, () => this.#converted(stored))
  }

  override reachNewest(): Promise<void> | undefined {
    const reaching = this.storage.reachNewest()
    const isBehind = [...this.#followers].some(({ position }) => position !== undefined)
    return isBehind || reaching !== undefined ? this.#reach(reaching) : undefined
  }

  /** Newest committed value of a key, even if other values cannot be converted. @throws StatusError. */
  async read(key: string): Promise<StoredValue | undefined> {
    await this.storage.reachNewest()
    await writeEnded(this.storage, key)
    return this.get(key)
  }

  async list(range: KeyRange, options?: ListOptions): Promise<ListResult> {
    const { items, ...rest } = await this.storage.list(range, options)
    await this.#loadList(items)
    return { ...rest, items: items.map((stored) => this.#ready(stored)) }
  }

  async watch(
    prefix: string,
    since: number,
    listener: (changes: readonly Change[]) => void,
    lost?: () => void,
  ): Promise<Subscription> {
    const { clock } = this.#options
    const follower = new ChangeConverter({
      clock,
      isReady: (change) => this.#isReady(change),
      convert: (changes) => this.#loadList(changes.flatMap(valueOf)),
      deliver: (changes) => listener(changes.map((change) => this.#change(change))),
      lost: () => lost?.(),
    })
    this.#followers.add(follower)
    try {
      const source = await this.storage.watch(prefix, since, (changes) => follower.add(changes))
      return { close: () => this.#unfollow(follower, source) }
    } catch (error) {
      this.#followers.delete(follower)
      throw error
    }
  }

  async changes(prefix: string, since: number, limit: number): Promise<ChangePage> {
    const { changes, ...rest } = await this.storage.changes(prefix, since, limit)
    await this.#loadList(changes.flatMap((change) => [...valueOf(change), ...previousOf(change)]))
    return { ...rest, changes: changes.map((change) => this.#change(change)) }
  }

  async #reach(reaching: Promise<void> | undefined): Promise<void> {
    await reaching
    const { revision } = this.storage
    await Promise.all([...this.#followers].map((follower) => follower.reach(revision)))
  }

  #unfollow(follower: ChangeConverter, source: Subscription): void {
    this.#followers.delete(follower)
    follower.close()
    source.close()
  }

  #isReady({ value }: Change): boolean {
    return value === undefined || this.#values.of(value) !== undefined
  }

  #change(change: Change): Change {
    const { value, previous, revision, key } = change
    return {
      ...change,
      value: value && this.#ready({ key, revision, value }).value,
      previous: previous && this.#values.of(previous.value) && this.#ready(previous),
    }
  }

  /** Converted value. */
  #ready(stored: StoredValue): StoredValue {
    return { ...stored, value: this.#converted(stored) }
  }

  #converted(stored: StoredValue): Buffer {
    const value = this.#values.of(stored.value)
    if (value === undefined) throw new PendingConversion(this.shown(stored))
    return value
  }

  protected override async shown(stored: StoredValue): Promise<StoredValue> {
    await this.#values.load([stored]).catch((error: unknown) => {
      if (!isFailure(error)) throw error
      throw unreadable({ path: this.#pathOf(stored), revision: stored.revision, error })
    })
    return this.#ready(stored)
  }

  async #loadList(items: readonly StoredValue[]): Promise<void> {
    const missing = items.filter(({ value }) => this.#values.of(value) === undefined)
    const [first] = missing
    if (first === undefined) return
    await this.#values.load(missing).catch((error: unknown) => {
      if (!isFailure(error)) throw error
      const { group, plural } = this.#options.resource
      const resource = qualified(plural, group)
      const object = { path: this.#pathOf(first), revision: first.revision, error }
      throw unreadableList(object, { count: missing.length, resource })
    })
  }

  #pathOf({ key }: StoredValue): string {
    return key.slice(this.#options.planePrefix.length)
  }

  #known(template: ValueTemplate): ValueTemplate | undefined {
    const { form, resource } = this.#options
    return form.resource.version === resource.version ? template : this.#templates.get(template)
  }

  async #store(template: ValueTemplate): Promise<ValueTemplate> {
    const { form } = this.#options
    const object = decodeObject(Buffer.from(template.before + template.after))
    delete object.metadata.resourceVersion
    const [found] = await form.remote.convert([object], groupVersionString(form.resource))
    if (found === undefined) throw internalError('a conversion has no result')
    const stored = encodeObject(inOrder(found, form.resource))
    this.#templates.set(template, stored)
    return stored
  }
}

/** Reports whether a conversion failed; other errors are temporary refusals. */
function isFailure(error: unknown): error is StatusError {
  return error instanceof StatusError && error.code === 500
}

function valueOf({ key, revision, value }: Change): StoredValue[] {
  return value === undefined ? [] : [{ key, revision, value }]
}

function previousOf({ previous }: Change): StoredValue[] {
  return previous === undefined ? [] : [previous]
}
