import type { ApiObject, OwnerReference } from '../../meta/types.ts'
import type { Answered, ObjectClient } from './objectClient.ts'
import { hasSameContent, restorable } from './restorable.ts'

export interface RestoreOptions {
  client: ObjectClient
  /** True to replace existing objects. */
  isReplacing: boolean
  /** True for a dry run. */
  isDryRun: boolean
}

/** Result for a single object. */
export interface Restored {
  result: 'created' | 'replaced' | 'unchanged' | 'conflict' | 'refused'
  /** Result as a phrase for people. */
  text: string
}

/** Writes objects of a backup in sequence, owners before their dependents. */
export class ObjectRestore {
  readonly #options: RestoreOptions
  /** Current uids of objects, by their uids in the backup. */
  readonly #uids = new Map<string, string>()
  /** Namespaces that a dry run would have created. */
  readonly #imagined = new Set<string>()

  constructor(options: RestoreOptions) {
    this.#options = options
  }

  /** Restores an object. @throws StartError if the server cannot be reached. */
  async restore(object: ApiObject): Promise<Restored> {
    const { client } = this.#options
    const { namespace } = object.metadata
    if (namespace !== undefined && this.#imagined.has(namespace))
      return { result: 'created', text: 'would be created in the new namespace, unchecked' }
    const found = await client.get(object)
    if ('object' in found) return this.#existing(object, found.object)
    return found.code === 404 ? this.#create(object) : { result: 'refused', text: found.refusal }
  }

  async #create(object: ApiObject): Promise<Restored> {
    const { client, isDryRun } = this.#options
    const { wanted, note } = await this.#wanted(object)
    const answered = await client.create(wanted, isDryRun)
    if ('refusal' in answered) return { result: 'refused', text: answered.refusal }
    if (isDryRun && object.kind === 'Namespace') this.#imagined.add(object.metadata.name ?? '')
    return this.#written(object, answered, { result: 'created', text: `created${note}` })
  }

  async #existing(object: ApiObject, found: ApiObject): Promise<Restored> {
    const { client, isReplacing, isDryRun } = this.#options
    this.#note(object, found)
    if (hasSameContent(object, found))
      return { result: 'unchanged', text: 'exists with the same content' }
    if (!isReplacing)
      return { result: 'conflict', text: 'exists with other content: left as it is' }
    const { wanted, note } = await this.#wanted(object)
    const { uid, resourceVersion } = found.metadata
    const metadata = { ...wanted.metadata, ...defined({ uid, resourceVersion }) }
    const answered = await client.replace({ ...wanted, metadata }, isDryRun)
    if ('refusal' in answered) return { result: 'refused', text: answered.refusal }
    return this.#written(object, answered, { result: 'replaced', text: `replaced${note}` })
  }

  /** Restores the field managers of a written object. */
  async #written(
    object: ApiObject,
    { object: written }: Extract<Answered, { object: ApiObject }>,
    restored: Restored,
  ): Promise<Restored> {
    const { client, isDryRun } = this.#options
    this.#note(object, written)
    if (isDryRun) return { ...restored, text: `${restored.text} (dry run)` }
    const { managedFields } = object.metadata
    if (managedFields === undefined) return restored
    const metadata = { ...written.metadata, managedFields }
    const owned = await client.replace({ ...written, metadata }, false)
    // Another client changed the object first, or deleted it, and its result stays.
    return 'object' in owned
      ? restored
      : { ...restored, text: `${restored.text}, with a new owner of its fields` }
  }

  #note(object: ApiObject, now: ApiObject): void {
    const { uid } = object.metadata
    if (uid !== undefined) this.#uids.set(uid, now.metadata.uid ?? '')
  }

  /**
   * Object to send, with the current uids of its owners. An object with a missing owner would be
   * garbage-collected.
   */
  async #wanted(object: ApiObject): Promise<{ wanted: ApiObject; note: string }> {
    const wanted = restorable(object)
    const { ownerReferences = [], ...metadata } = wanted.metadata
    if (ownerReferences.length === 0) return { wanted, note: '' }
    const now = await Promise.all(ownerReferences.map((owner) => this.#ownerNow(owner, object)))
    const owners = now.flatMap((owner) => owner ?? [])
    const lost = ownerReferences.filter((_, index) => now[index] === undefined)
    const note = lost.map(({ kind, name }) => `, without its owner ${kind} ${name}, which is gone`)
    return {
      wanted: {
        ...wanted,
        metadata: { ...metadata, ...(owners.length > 0 && { ownerReferences: owners }) },
      },
      note: note.join(''),
    }
  }

  async #ownerNow(
    owner: OwnerReference,
    { metadata }: ApiObject,
  ): Promise<OwnerReference | undefined> {
    const restored = this.#uids.get(owner.uid)
    if (restored !== undefined) return { ...owner, uid: restored }
    const { apiVersion, kind, name } = owner
    const place = { name, ...(metadata.namespace && { namespace: metadata.namespace }) }
    const found = await this.#options.client.get({ apiVersion, kind, metadata: place })
    return 'object' in found && found.object.metadata.uid === owner.uid ? owner : undefined
  }
}

function defined(fields: { uid: string | undefined; resourceVersion: string | undefined }) {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { uid?: string; resourceVersion?: string }
}
