import { badRequest } from '../../meta/statusErrors.ts'
import type { ApiObject } from '../../meta/types.ts'
import type { AnswerRequest } from '../../registry/answers.ts'
import type { AnsweredSubresource } from '../../registry/resource.ts'
import type { KindContext } from '../builtInKind.ts'
import { asPod } from './podTypes.ts'

/** What a pod's node would answer: there are no nodes here, so each is refused with the reason.
 *  Source: Kubernetes API reference, "Misc operations" of Pod v1. */
export function nodeSubresources(context: KindContext): AnsweredSubresource[] {
  return [
    refusal(context, 'log', 'Pod', ['get']),
    refusal(context, 'exec', 'PodExecOptions', ['get', 'create']),
    refusal(context, 'attach', 'PodAttachOptions', ['get', 'create']),
    refusal(context, 'portforward', 'PodPortForwardOptions', ['get', 'create']),
  ]
}

function refusal(
  { access }: KindContext,
  name: string,
  kind: string,
  verbs: AnsweredSubresource['verbs'],
): AnsweredSubresource {
  const refuse = (request: AnswerRequest): never => {
    const { object } = access.of(request).store({ group: '', resource: 'pods' }).newest(request)
    throw badRequest(noNodeText(object, name))
  }
  return {
    name,
    verbs,
    resource: {
      group: '',
      version: 'v1',
      plural: 'pods',
      singular: 'pod',
      kind,
      namespaced: true,
      verbs: [],
      schema: { type: 'object', definition: `io.k8s.api.core.v1.${kind}` },
      strategy: {},
      answers: { connect: refuse },
    },
  }
}

function noNodeText(object: ApiObject, subresource: string): string {
  const { metadata, spec } = asPod({ ...object })
  const { name = '' } = metadata
  return spec.nodeName === undefined
    ? `pod ${name} does not have a host assigned`
    : `pod ${name} is on the node ${spec.nodeName}, and this server reaches no nodes: there is no ${subresource}`
}
