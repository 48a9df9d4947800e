/** Content that remains in a namespace that is being deleted. */
export interface RemainingContent {
  /** Number of objects, by `<plural>.<group>`. */
  resources: ReadonlyMap<string, number>
  /** Number of objects by finalizer. */
  finalizers: ReadonlyMap<string, number>
}

export interface NamespaceCondition {
  type: string
  status: string
  lastTransitionTime?: string
  reason?: string
  message?: string
}

/**
 * Conditions of a namespace's deletion. Other conditions stay, and so does the transition time of a
 * condition with an unchanged status.
 * Source: Kubernetes API reference, NamespaceStatus; the messages are those shown by `kubectl
 * describe`.
 */
export function deletionConditions(
  before: readonly NamespaceCondition[],
  content: RemainingContent,
  now: string,
): NamespaceCondition[] {
  const said = [...settled, contentCondition(content), finalizerCondition(content)]
  const others = before.filter(({ type }) => !said.some((condition) => condition.type === type))
  const current = said.map(({ type, status, reason, message }) => {
    const known = before.find((condition) => condition.type === type)
    const time = known?.status === status ? (known.lastTransitionTime ?? now) : now
    return { type, status, lastTransitionTime: time, reason, message }
  })
  return [...others, ...current]
}

type Said = Required<Omit<NamespaceCondition, 'lastTransitionTime'>>

/**
 * Conditions that never report failures here, since every kind is known and failed deletions are
 * retried.
 */
const settled: readonly Said[] = [
  {
    type: 'NamespaceDeletionDiscoveryFailure',
    status: 'False',
    reason: 'ResourcesDiscovered',
    message: 'All resources successfully discovered',
  },
  {
    type: 'NamespaceDeletionGroupVersionParsingFailure',
    status: 'False',
    reason: 'ParsedGroupVersions',
    message: 'All legacy kube types successfully parsed',
  },
  {
    type: 'NamespaceDeletionContentFailure',
    status: 'False',
    reason: 'ContentDeleted',
    message: 'All content successfully deleted, may be waiting on finalization',
  },
]

function contentCondition({ resources }: RemainingContent): Said {
  const type = 'NamespaceContentRemaining'
  const texts = textsOf(resources, (name, count) => `${name} has ${count} resource instances`)
  if (texts === '') {
    const message = 'All content successfully removed'
    return { type, status: 'False', reason: 'ContentRemoved', message }
  }
  const message = `Some resources are remaining: ${texts}`
  return { type, status: 'True', reason: 'SomeResourcesRemain', message }
}

function finalizerCondition({ finalizers }: RemainingContent): Said {
  const type = 'NamespaceFinalizersRemaining'
  const texts = textsOf(finalizers, (name, count) => `${name} in ${count} resource instances`)
  if (texts === '') {
    const message = 'All content-preserving finalizers finished'
    return { type, status: 'False', reason: 'ContentHasNoFinalizers', message }
  }
  const message = `Some content in the namespace has finalizers remaining: ${texts}`
  return { type, status: 'True', reason: 'SomeFinalizersRemain', message }
}

function textsOf(
  counts: ReadonlyMap<string, number>,
  text: (name: string, count: number) => string,
): string {
  return [...counts]
    .map(([name, count]) => text(name, count))
    .sort()
    .join(', ')
}
