import { formatTime } from '../../../../meta/clock.ts'
import { badRequest, plainError } from '../../../../meta/statusErrors.ts'
import type { ApiObject } from '../../../../meta/types.ts'
import type { AnswerRequest } from '../../../../registry/answers.ts'
import { checkPreconditions } from '../../../../registry/write/beforeDelete.ts'
import type { DeleteOptions } from '../../../../registry/write/deleteOptions.ts'
import { matchNamespace } from '../../../../registry/write/metadataSteps.ts'
import { decodeObject } from '../../../../registry/objectBytes.ts'
import { subresourceStrategy, type AnsweredSubresource } from '../../../../registry/resource.ts'
import type { Store } from '../../../../registry/store.ts'
import { builtInKind, type KindContext } from '../../builtInKind.ts'
import { isEmptySelector, selectorMatches } from '../../labelSelection.ts'
import { createdStatus } from '../../../success.ts'
import { setPodCondition } from './podCondition.ts'
import { hasHealthyRest, taken, type Budget } from './podDisruptions.ts'
import { asPod, type Pod } from './podTypes.ts'

const pods = { group: '', resource: 'pods' }
const budgets = { group: 'policy', resource: 'poddisruptionbudgets' }

/** Deletion that respects disruption budgets. Source: Kubernetes documentation, "API-initiated eviction". */
export function evictionSubresource({ types, access }: KindContext): AnsweredSubresource {
  const resource = builtInKind(types, {
    group: 'policy',
    version: 'v1',
    bodyVersions: ['v1beta1'],
    plural: 'evictions',
    kind: 'Eviction',
    namespaced: true,
    description: 'Eviction requests the deletion of a pod, if its disruption budgets allow it.',
    verbs: ['create'],
    strategy: {},
    answers: {
      create: async (eviction, request) => {
        matchNamespace(eviction.metadata, request.namespace)
        if (eviction.metadata.name !== request.name) {
          throw badRequest('name in URL does not match name in Eviction object')
        }
        const plane = access.of(request)
        const store = plane.store(pods)
        const pod = asPod(await store.durable(request))
        if (isGuarded(pod)) await takeFromBudget(pod, plane.store(budgets), request)
        // Guaranteed by the schema of Eviction.
        const options = (eviction['deleteOptions'] ?? {}) as DeleteOptions
        const isLeaving = pod.metadata.deletionTimestamp !== undefined || request.dryRun
        const left = isLeaving ? options : await markEvicted(store, options, request)
        await store.delete(request, left, request)
        return createdStatus()
      },
    },
  })
  return { name: 'eviction', verbs: ['create'], resource }
}

const unguarded = ['Succeeded', 'Failed', 'Pending']

function isGuarded({ metadata, status }: Pod): boolean {
  return metadata.deletionTimestamp === undefined && !unguarded.includes(status.phase ?? '')
}

const severalText =
  'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.'

/** Charges the budget. @throws StatusError 429 if it allows no disruption. */
async function takeFromBudget(pod: Pod, store: Store, request: AnswerRequest): Promise<void> {
  await store.cache.warm()
  const [budget, ...others] = [...store.cache.all(`${store.keyPrefix}${request.namespace}/`)]
    // Guaranteed by the schema of the kind.
    .map((entry) => entry.object() as Budget)
    .filter(({ spec: { selector = {} } }) => {
      return !isEmptySelector(selector) && selectorMatches(selector, pod.metadata.labels)
    })
  if (budget === undefined) return
  if (others.length > 0) throw plainError(severalText)
  if (!isReady(pod) && hasHealthyRest(budget)) return
  const now = formatTime(store.options.clock.now())
  const { name = '' } = pod.metadata
  const strategy = subresourceStrategy(store.resource, 'status')
  const target = { namespace: request.namespace, name: budget.metadata.name ?? '' }
  const managers = request.managementOf?.(store.resource, 'status', serverManager)
  const transform = (old: ApiObject): ApiObject => {
    const next = taken(old, { pod: name, now, dryRun: request.dryRun })
    return managers?.updated(old, next, []) ?? next
  }
  await store.update(target, { transform, ...(strategy && { strategy }) }, request)
}

/** Field manager of the real server's own writes. */
const serverManager = 'kube-apiserver'

function isReady({ status: { conditions = [] } }: Pod): boolean {
  return conditions.some(({ type, status }) => type === 'Ready' && status === 'True')
}

/**
 * Sets the condition that explains the eviction, visible while finalizers keep the pod. Bypasses the strategy, so that
 * no manager owns it. Returns the options for the pod after the write.
 */
async function markEvicted(
  store: Store,
  options: DeleteOptions,
  request: AnswerRequest,
): Promise<DeleteOptions> {
  const condition = {
    type: 'DisruptionTarget',
    status: 'True',
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
  }
  const now = formatTime(store.options.clock.now())
  const strategy = subresourceStrategy(store.resource, 'status')
  const { preconditions } = options
  const transform = (old: ApiObject): ApiObject => {
    checkPreconditions(preconditions, old, store.resource)
    const pod = asPod(old)
    setPodCondition(pod, condition, now)
    return pod
  }
  const { bytes } = await store.update(
    request,
    { transform, ...(strategy && { strategy }) },
    request,
  )
  if (preconditions?.resourceVersion === undefined) return options
  const { resourceVersion = '' } = decodeObject(bytes).metadata
  return { ...options, preconditions: { ...preconditions, resourceVersion } }
}
