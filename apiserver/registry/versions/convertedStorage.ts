import type {
  Change,
  Guard,
  ChangePage,
  KeyRange,
  ListOptions,
  ListResult,
  Storage,
  StoredValue,
  Subscription,
  ValueTemplate,
} from '../../storage/storage.ts'
import { inSteps, runPaced } from '../../meta/waiting/steps.ts'
import { decodeObject, encodeObject, objectBytes } from '../objectBytes.ts'
import type { ResourceDefinition, StoredForm } from '../resource.ts'
import { inOrder } from './convertedObject.ts'
import { NewestValue, WrappedStorage } from './wrappedStorage.ts'

/**
 * Storage in terms of another version of a kind: reads return objects of that version, writes are converted to the
 * stored version. Conversions are cached by their source bytes, so that repeated reads return the same bytes.
 */
export class ConvertedStorage extends WrappedStorage implements Storage {
  readonly #resource: ResourceDefinition
  readonly #form: StoredForm
  readonly #converted = new WeakMap<Buffer, Buffer>()

  constructor(storage: Storage, resource: ResourceDefinition, form: StoredForm) {
    super(storage)
    this.#resource = resource
    this.#form = form
  }

  async create(key: string, value: ValueTemplate, guard?: Guard): Promise<StoredValue> {
    return this.shown(await this.storage.create(key, this.#stored(value), guard))
  }

  async update(
    key: string,
    value: ValueTemplate,
    expected: number,
    guard?: Guard,
  ): Promise<StoredValue> {
    return this.shown(await this.storage.update(key, this.#stored(value), expected, guard))
  }

  newest(key: string): StoredValue | undefined {
    const stored = this.storage.newest(key)
    return stored && new NewestValue(stored, ({ value, revision }) => this.#bytes(value, revision))
  }

  async list(range: KeyRange, options?: ListOptions): Promise<ListResult> {
    const { items, ...rest } = await this.storage.list(range, options)
    // A conversion may take long, and there may be many objects that were never converted.
    return { ...rest, items: await runPaced(inSteps(items, (stored) => this.shown(stored))) }
  }

  watch(
    prefix: string,
    since: number,
    listener: (changes: readonly Change[]) => void,
  ): Promise<Subscription> {
    return this.storage.watch(prefix, since, (changes) => {
      listener(changes.map((change) => this.#change(change)))
    })
  }

  async changes(prefix: string, since: number, limit: number): Promise<ChangePage> {
    const { changes, ...rest } = await this.storage.changes(prefix, since, limit)
    return { ...rest, changes: changes.map((change) => this.#change(change)) }
  }

  #change(change: Change): Change {
    const { value, previous, revision } = change
    return {
      ...change,
      value: value && this.#bytes(value, revision),
      previous: previous && this.shown(previous),
    }
  }

  protected override shown(stored: StoredValue): StoredValue {
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
