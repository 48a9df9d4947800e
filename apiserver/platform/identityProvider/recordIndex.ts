import { addTo, removeFrom } from '../../meta/collections/setsByKey.ts'
import type { ApiObject } from '../../meta/types.ts'

interface Entry {
  model: string
  expiresAt: number
  grantId: string | undefined
  uid: string | undefined
}

/** Secondary indexes of records. */
export class RecordIndex {
  readonly #entries = new Map<string, Entry>()
  readonly #byGrant = new Map<string, Set<string>>()
  readonly #byUid = new Map<string, string>()
  readonly #counts = new Map<string, number>()

  /** Updates the indexes. @param object as stored; undefined: deleted. */
  set(name: string, object: ApiObject | undefined): void {
    const before = this.#entries.get(name)
    if (before !== undefined) this.#forget(name, before)
    if (object === undefined) return
    // Sound: only records of the provider are stored there.
    const { model, expiresAt, grantId, uid } = object as unknown as Entry
    this.#entries.set(name, { model, expiresAt, grantId, uid })
    this.#counts.set(model, this.count(model) + 1)
    if (uid !== undefined) this.#byUid.set(uid, name)
    if (grantId !== undefined) addTo(this.#byGrant, grantId, name)
  }

  count(model: string): number {
    return this.#counts.get(model) ?? 0
  }

  nameOfUid(uid: string): string | undefined {
    return this.#byUid.get(uid)
  }

  namesOfGrant(grantId: string): string[] {
    return [...(this.#byGrant.get(grantId) ?? [])]
  }

  expired(now: number): string[] {
    const over: string[] = []
    for (const [name, { expiresAt }] of this.#entries) if (expiresAt <= now) over.push(name)
    return over
  }

  #forget(name: string, { model, grantId, uid }: Entry): void {
    this.#entries.delete(name)
    this.#counts.set(model, this.count(model) - 1)
    if (uid !== undefined && this.#byUid.get(uid) === name) this.#byUid.delete(uid)
    if (grantId !== undefined) removeFrom(this.#byGrant, grantId, name)
  }
}
