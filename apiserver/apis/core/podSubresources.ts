import { conflict } from '../../meta/statusErrors.ts'
import type { ApiObject } from '../../meta/types.ts'
import type { AnsweredSubresource, SubresourceDefinition } from '../../registry/resource.ts'
import { builtInKind, type KindContext } from '../builtInKind.ts'
import { createdStatus } from '../success.ts'
import { evictionSubresource } from './podEviction.ts'
import { nodeSubresources } from './podNodeAnswers.ts'
import { asPod } from './podTypes.ts'

const pods = { group: '', resource: 'pods' }

/** Those of a pod beside its status. */
export function podSubresources(context: KindContext): SubresourceDefinition[] {
  return [bindingSubresource(context), evictionSubresource(context), ...nodeSubresources(context)]
}

/** Puts a pod on a node. Source: Kubernetes API reference, Binding v1. */
function bindingSubresource({ types, access }: KindContext): AnsweredSubresource {
  const resource = builtInKind(types, {
    group: '',
    version: 'v1',
    plural: 'bindings',
    kind: 'Binding',
    namespaced: true,
    description: 'Binding names the node that a pod is put on.',
    verbs: ['create'],
    strategy: {},
    answers: {
      create: async (binding, request) => {
        const target = { namespace: request.namespace, name: request.name }
        const transform = (old: ApiObject) => old
        const strategy = { prepareForUpdate: (next: ApiObject) => bind(next, nodeIn(binding)) }
        await access.of(request).store(pods).update(target, { transform, strategy }, request)
        return createdStatus()
      },
    },
  })
  return { name: 'binding', verbs: ['create'], resource }
}

function nodeIn(binding: ApiObject): string {
  // The schema says what a target is.
  const target = binding['target'] as { name?: string } | undefined
  return target?.name ?? ''
}

function bind(object: ApiObject, nodeName: string): void {
  const pod = asPod(object)
  const { name = '' } = pod.metadata
  if (pod.spec.nodeName !== undefined) {
    throw conflict(pods, name, `pod ${name} is already assigned to node "${pod.spec.nodeName}"`)
  }
  pod.spec.nodeName = nodeName
  pod.status.conditions = [
    ...(pod.status.conditions ?? []).filter(({ type }) => type !== 'PodScheduled'),
    { type: 'PodScheduled', status: 'True' },
  ]
}
