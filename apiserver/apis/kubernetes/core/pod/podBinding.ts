import { formatTime } from '../../../../meta/clock.ts'
import { notSupportedField, requiredField, aggregateMessage } from '../../../../meta/fieldErrors.ts'
import { goQuote } from '../../../../meta/goQuote.ts'
import { badRequest, conflict, plainError } from '../../../../meta/statusErrors.ts'
import type { ApiObject } from '../../../../meta/types.ts'
import { canonicalForm, objectSchema } from '../../../../registry/schema/canonicalForm.ts'
import type { AnsweredSubresource, ResourceDefinition } from '../../../../registry/resource.ts'
import { builtInKind, type KindContext } from '../../builtInKind.ts'
import { createdStatus } from '../../../success.ts'
import { subdomainErrors } from '../../../../meta/names/nameValidation.ts'
import type { AnswerRequest } from '../../../../registry/answers.ts'
import { matchNamespace } from '../../../../registry/write/metadataSteps.ts'
import { optionalName } from '../../../fieldChecks.ts'
import { setPodCondition } from './podCondition.ts'
import { asPod } from './podTypes.ts'

const pods = { group: '', resource: 'pods' }

interface Binding extends ApiObject {
  target?: { kind?: string; name?: string }
}

/**
 * Binds a pod to a node, bypassing the pod's strategy: no manager owns the written fields, and the
 * generation is unchanged. Source: Kubernetes API reference, Binding v1; the real server's answers.
 */
export function bindingSubresource(context: KindContext): AnsweredSubresource {
  const resource = bindingKind(context, (binding, request) => {
    checkBinding(binding, request)
    return bind(binding, request, context)
  })
  return { name: 'binding', verbs: ['create'], resource }
}

/** Deprecated path of the subresource, where the pod is named only in the object. */
export function bindingResource(context: KindContext): ResourceDefinition {
  return bindingKind(context, (binding, request) => {
    const { name = '' } = binding.metadata
    if (name === '') throw badRequest('Name parameter required.')
    checkBinding(binding, { ...request, name })
    return bind(binding, { ...request, name }, context)
  })
}

function bindingKind(
  { types }: KindContext,
  create: (binding: Binding, request: AnswerRequest) => Promise<ApiObject>,
): ResourceDefinition {
  return builtInKind(types, {
    group: '',
    version: 'v1',
    plural: 'bindings',
    kind: 'Binding',
    namespaced: true,
    description: 'Binding assigns a pod to a node.',
    verbs: ['create'],
    strategy: {},
    answers: { create },
  })
}

async function bind(
  binding: Binding,
  request: AnswerRequest,
  { access }: KindContext,
): Promise<ApiObject> {
  const store = access.of(request).store(pods)
  const now = formatTime(store.options.clock.now())
  const { uid, resourceVersion } = binding.metadata
  await store.update(
    request,
    {
      transform: (old) => old,
      settle: (_next, old) => inOrder(bound(old, binding, now), store.resource),
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
    },
    request,
  )
  return createdStatus()
}

/**
 * Checks a binding. @throws StatusError 400 for another pod, 500 if the target is not a node. Source: seen on
 * kube-apiserver 1.37.2.
 */
function checkBinding({ metadata, target = {} }: Binding, request: AnswerRequest): void {
  matchNamespace(metadata, request.namespace)
  if (metadata.name !== request.name) {
    throw badRequest('name in URL does not match name in Binding object')
  }
  const { kind = '', name: node = '' } = target
  const errors = [
    ...(kind === '' || kind === 'Node'
      ? []
      : [notSupportedField('target.kind', kind, ['Node', '<empty>'])]),
    ...(node === '' ? [requiredField('target.name')] : []),
    ...optionalName('target.name', kind === '' || kind === 'Node' ? node : '', subdomainErrors),
  ]
  if (errors.length > 0) throw plainError(aggregateMessage(errors))
}

/** Object in the field order of its schema, as it is stored. */
function inOrder(object: ApiObject, { schema }: ResourceDefinition): ApiObject {
  // The canonical form of an object is an object.
  return canonicalForm(object, objectSchema(schema)).value as ApiObject
}

function bound(old: ApiObject, { metadata, target }: Binding, now: string): ApiObject {
  const pod = asPod(structuredClone(old))
  const { name = '', deletionTimestamp } = pod.metadata
  const { nodeName, schedulingGates = [] } = pod.spec
  const refuse = (why: string) => {
    throw conflict({ group: '', resource: 'pods/binding' }, name, `pod ${name} ${why}`)
  }
  if (deletionTimestamp !== undefined) refuse('is being deleted, cannot be assigned to a host')
  if (nodeName !== undefined) refuse(`is already assigned to node ${goQuote(nodeName)}`)
  if (schedulingGates.length > 0) refuse('has non-empty .spec.schedulingGates')
  pod.spec.nodeName = target?.name ?? ''
  delete pod.status.nominatedNodeName
  for (const field of ['annotations', 'labels'] as const) {
    const sent = metadata[field]
    if (sent !== undefined) pod.metadata[field] = { ...pod.metadata[field], ...sent }
  }
  setPodCondition(pod, { type: 'PodScheduled', status: 'True' }, now)
  return pod
}
