import { StatusError } from '../../meta/status.ts'
import { plainError } from '../../meta/statusErrors.ts'
import type { ApiObject } from '../../meta/types.ts'
import type { AnswerRequest } from '../../registry/answers.ts'
import type { DeleteOptions } from '../../registry/deleteOptions.ts'
import type { AnsweredSubresource } from '../../registry/resource.ts'
import { builtInKind, type KindContext } from '../builtInKind.ts'
import { isEmptySelector, selectorMatches, type SpecSelector } from '../labelSelection.ts'
import type { PlaneAccess } from '../planeAccess.ts'
import { createdStatus } from '../success.ts'
import { asPod } from './podTypes.ts'

const pods = { group: '', resource: 'pods' }
const budgets = { group: 'policy', resource: 'poddisruptionbudgets' }

interface Budget extends ApiObject {
  spec: { selector?: SpecSelector }
  status: {
    observedGeneration?: number
    disruptionsAllowed?: number
    currentHealthy?: number
    desiredHealthy?: number
  }
}

/** A deletion that asks the budgets first. Source: Kubernetes documentation, "API-initiated eviction". */
export function evictionSubresource({ types, access }: KindContext): AnsweredSubresource {
  const resource = builtInKind(types, {
    group: 'policy',
    version: 'v1',
    plural: 'evictions',
    kind: 'Eviction',
    namespaced: true,
    description: 'Eviction asks for the deletion of a pod if its budget allows one.',
    verbs: ['create'],
    strategy: {},
    answers: {
      create: async (eviction, request) => {
        const store = access.of(request).store(pods)
        await takeFromBudget(access, store.newest(request).object, request)
        // The schema of an Eviction says what its options are.
        const options = (eviction['deleteOptions'] ?? {}) as DeleteOptions
        await store.delete(request, options, request)
        return createdStatus()
      },
    },
  })
  return { name: 'eviction', verbs: ['create'], resource }
}

const unguarded = ['Succeeded', 'Failed', 'Pending']

async function takeFromBudget(
  access: PlaneAccess,
  object: ApiObject,
  request: AnswerRequest,
): Promise<void> {
  const { metadata, status } = asPod(object)
  if (metadata.deletionTimestamp !== undefined || unguarded.includes(status.phase ?? '')) return
  const store = access.of(request).store(budgets)
  await store.cache.warm()
  const matching = [...store.cache.all(`${store.keyPrefix}${request.namespace}/`)]
    // The schema of the kind says what a budget holds.
    .map((entry) => entry.object() as Budget)
    .filter(({ spec: { selector = {} } }) => {
      return !isEmptySelector(selector) && selectorMatches(selector, metadata.labels)
    })
  const [budget, ...others] = matching
  if (budget === undefined) return
  if (others.length > 0) throw plainError(severalText)
  const target = { namespace: request.namespace, name: budget.metadata.name ?? '' }
  const strategy = store.resource.subresources?.find(({ name }) => name === 'status')
  if (strategy === undefined || 'resource' in strategy) return
  await store.update(target, { transform: taken, strategy: strategy.strategy }, request)
}

const severalText =
  'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.'

/** The budget with one disruption less. @throws StatusError 429. */
function taken(old: ApiObject): ApiObject {
  // The schema of the kind says what a budget holds.
  const budget = old as Budget
  const { metadata, status } = budget
  const { disruptionsAllowed = 0, currentHealthy = 0, desiredHealthy = 0 } = status
  const name = metadata.name ?? ''
  if ((status.observedGeneration ?? 0) < (metadata.generation ?? 0)) {
    throw refused(`The disruption budget ${name} is still being processed by the server.`, 10)
  }
  if (disruptionsAllowed > 0) {
    return { ...budget, status: { ...status, disruptionsAllowed: disruptionsAllowed - 1 } }
  }
  throw refused(
    `The disruption budget ${name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`,
    0,
  )
}

function refused(why: string, retryAfterSeconds: number): StatusError {
  const message = "Cannot evict pod as it would violate the pod's disruption budget."
  return new StatusError(429, 'TooManyRequests', message, {
    details: {
      causes: [{ reason: 'DisruptionBudget', message: why }],
      ...(retryAfterSeconds > 0 ? { retryAfterSeconds } : {}),
    },
  })
}
