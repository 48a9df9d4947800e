import type {
  Change,
  ChangePage,
  KeyRange,
  ListOptions,
  ListResult,
  ReadOptions,
  Storage,
  StoredValue,
  Subscription,
  ValueTemplate,
} from '../../storage/storage.ts'
import { decodeObject, encodeObject, objectBytes } from '../objectBytes.ts'
import type { ResourceDefinition, StoredForm } from '../resource.ts'
import { inOrder } from './convertedObject.ts'

/**
 * A storage in terms of another version of a kind: reads return objects of that version, writes are stored in the
 * stored version. Conversions are cached by their source bytes, so that repeated reads return the same bytes.
 */
export class ConvertedStorage implements Storage {
  readonly #storage: Storage
  readonly #resource: ResourceDefinition
  readonly #form: StoredForm
  readonly #converted = new WeakMap<Buffer, Buffer>()

  constructor(storage: Storage, resource: ResourceDefinition, form: StoredForm) {
    this.#storage = storage
    this.#resource = resource
    this.#form = form
  }

  get isShared(): boolean {
    return this.#storage.isShared
  }

  get revision(): number {
    return this.#storage.revision
  }

  get compactedRevision(): number {
    return this.#storage.compactedRevision
  }

  async create(key: string, value: ValueTemplate): Promise<StoredValue> {
    return this.#shown(await this.#storage.create(key, this.#stored(value)))
  }

  async update(key: string, value: ValueTemplate, expected: number): Promise<StoredValue> {
    return this.#shown(await this.#storage.update(key, this.#stored(value), expected))
  }

  delete(key: string, expected: number): Promise<number> {
    return this.#storage.delete(key, expected)
  }

  newest(key: string): StoredValue | undefined {
    const stored = this.#storage.newest(key)
    return stored && new NewestConverted(stored, (value, revision) => this.#bytes(value, revision))
  }

  pendingRevision(key?: string): number {
    return this.#storage.pendingRevision(key)
  }

  settled(revision: number): Promise<void> {
    return this.#storage.settled(revision)
  }

  reachNewest(): Promise<void> | undefined {
    return this.#storage.reachNewest()
  }

  async get(key: string, options?: ReadOptions): Promise<StoredValue | undefined> {
    const stored = await this.#storage.get(key, options)
    return stored && this.#shown(stored)
  }

  async list(range: KeyRange, options?: ListOptions): Promise<ListResult> {
    const { items, ...rest } = await this.#storage.list(range, options)
    return { ...rest, items: items.map((stored) => this.#shown(stored)) }
  }

  watch(
    prefix: string,
    since: number,
    listener: (changes: readonly Change[]) => void,
  ): Promise<Subscription> {
    return this.#storage.watch(prefix, since, (changes) => {
      listener(changes.map((change) => this.#change(change)))
    })
  }

  async changes(prefix: string, since: number, limit: number): Promise<ChangePage> {
    const { changes, ...rest } = await this.#storage.changes(prefix, since, limit)
    return { ...rest, changes: changes.map((change) => this.#change(change)) }
  }

  compact(revision: number): Promise<void> {
    return this.#storage.compact(revision)
  }

  ready(): void {
    this.#storage.ready()
  }

  close(): Promise<void> {
    return this.#storage.close()
  }

  #change(change: Change): Change {
    const { value, previous, revision } = change
    return {
      ...change,
      value: value && this.#bytes(value, revision),
      previous: previous && this.#shown(previous),
    }
  }

  #shown(stored: StoredValue): StoredValue {
    return { ...stored, value: this.#bytes(stored.value, stored.revision) }
  }

  #bytes(value: Buffer, revision: number): Buffer {
    let bytes = this.#converted.get(value)
    if (bytes === undefined) {
      const object = inOrder(this.#form.fromStored(decodeObject(value)), this.#resource)
      const made = objectBytes(object, revision)
      bytes = made.equals(value) ? value : made
      this.#converted.set(value, bytes)
    }
    return bytes
  }

  #stored(template: ValueTemplate): ValueTemplate {
    const { before, after } = template
    const { group, version } = this.#form.resource
    if (group === this.#resource.group && version === this.#resource.version) return template
    const object = this.#form.toStored(decodeObject(Buffer.from(before + after)))
    return encodeObject(inOrder(object, this.#form.resource))
  }
}

/** Converted newest value; its revision and bytes may change when its write ends: see `Storage.newest`. */
class NewestConverted implements StoredValue {
  readonly #stored: StoredValue
  readonly #bytes: (value: Buffer, revision: number) => Buffer

  constructor(stored: StoredValue, bytes: (value: Buffer, revision: number) => Buffer) {
    this.#stored = stored
    this.#bytes = bytes
  }

  get key(): string {
    return this.#stored.key
  }

  get revision(): number {
    return this.#stored.revision
  }

  get value(): Buffer {
    return this.#bytes(this.#stored.value, this.#stored.revision)
  }
}
