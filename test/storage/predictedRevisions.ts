/** Features of a storage beyond the contract. */
export interface StorageFeatures {
  /**
   * True if writes get their revisions in the order of the calls, before they are committed.
   * Default true.
   */
  predictsRevisions: boolean
}

type Case = (title: string, fact: () => Promise<unknown>) => void

/** `it` for facts about revisions that are known before their writes are committed. */
export function whereRevisionsArePredicted({ predictsRevisions }: StorageFeatures): Case {
  return (title, fact) => {
    if (predictsRevisions) it(title, fact)
    else it.skip(`${title} (skipped: revisions are given at commit)`)
  }
}
