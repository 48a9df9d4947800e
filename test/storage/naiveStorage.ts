import type { Change, KeyRange } from '../../apiserver/storage/storage.ts'

export interface NaiveWrite {
  key: string
  /** Value; undefined: a deletion. */
  text: string | undefined
  /** True to expect a revision other than the newest. */
  stale: boolean
}

/** Naive model of a storage: a list of all changes. */
export class NaiveStorage {
  changes: Change[] = []
  compacted = 0

  get revision(): number {
    return this.changes.length
  }

  /** Values at a revision, by key, in the form of `show`. */
  at(revision: number): Map<string, string> {
    const values = new Map<string, string>()
    for (const { key, value } of this.changes.slice(0, revision)) {
      if (value === undefined) values.delete(key)
      else values.set(key, `${key}=${value.toString()}`)
    }
    return values
  }

  list(range: KeyRange, revision: number): string[] {
    const bytes = (key: string): Buffer => Buffer.from(key)
    return [...this.at(revision)]
      .filter(([key]) => key.startsWith(range.prefix))
      .filter(([key]) => Buffer.compare(bytes(key), bytes(range.start ?? '')) >= 0)
      .sort(([a], [b]) => Buffer.compare(bytes(a), bytes(b)))
      .map(([, shown]) => shown)
  }

  after(prefix: string, since: number): Change[] {
    return this.changes.slice(since).filter((change) => change.key.startsWith(prefix))
  }

  /** Revision, or code of the refusal. */
  write({ key, text, stale }: NaiveWrite): number | string {
    const last = this.changes.findLast((change) => change.key === key)
    const exists = last?.value !== undefined
    if (!exists && text === undefined) return 'KeyNotFound'
    if (exists && stale) return 'RevisionConflict'
    const revision = this.revision + 1
    const value = text === undefined ? undefined : Buffer.from(`${text}@${revision}!`)
    const previous =
      last?.value === undefined ? undefined : { key, revision: last.revision, value: last.value }
    this.changes.push({ key, revision, value, previous })
    return revision
  }
}
