import { badRequest } from '../../../../meta/statusErrors.ts'
import type { ApiObject } from '../../../../meta/types.ts'
import type { AnswerRequest } from '../../../../registry/answers.ts'
import type { AnsweredSubresource } from '../../../../registry/resource.ts'
import type { KindContext } from '../../builtInKind.ts'
import { checkLogOptions } from './podLog.ts'
import { allContainers } from './podDefaults.ts'
import { podStreamParameters } from './podStreamParameters.ts'
import { asPod } from './podTypes.ts'

/** What a pod's node would answer: there are no nodes here, so each is refused with the reason, but for the log of a pod
 *  that no node has, which is empty. Source: Kubernetes API reference, "Misc operations" of Pod v1. */
export function nodeSubresources(context: KindContext): AnsweredSubresource[] {
  return [
    subresource(context, 'log', 'Pod', ['get']),
    subresource(context, 'exec', 'PodExecOptions', ['get', 'create']),
    subresource(context, 'attach', 'PodAttachOptions', ['get', 'create']),
    subresource(context, 'portforward', 'PodPortForwardOptions', ['get', 'create']),
  ]
}

function subresource(
  { access }: KindContext,
  name: string,
  kind: string,
  verbs: AnsweredSubresource['verbs'],
): AnsweredSubresource {
  const connect = async (request: AnswerRequest): Promise<undefined> => {
    if (name === 'log') checkLogOptions(request.query, request.name)
    const object = await access.of(request).store({ group: '', resource: 'pods' }).durable(request)
    if (name !== 'portforward') checkContainer(object, request.query.get('container') ?? '')
    const { metadata, spec } = asPod({ ...object })
    const { name: pod = '' } = metadata
    if (spec.nodeName !== undefined) {
      throw badRequest(
        `pod ${pod} is on the node ${spec.nodeName}, and this server reaches no nodes: there is no ${name}`,
      )
    }
    if (name !== 'log') throw badRequest(`pod ${pod} does not have a host assigned`)
  }
  return {
    name,
    verbs,
    stream: { connects: name !== 'log', parameters: podStreamParameters[name] ?? [] },
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
      answers: { connect },
    },
  }
}

/** A container must be named where there are several.
 *  @throws StatusError 400. Source: the real server's answers. */
function checkContainer(object: ApiObject, container: string): void {
  const { metadata, spec } = asPod({ ...object })
  const { name = '' } = metadata
  const names = allContainers(spec).map((one) => one.name ?? '')
  if (container === '' && (spec.containers ?? []).length > 1) {
    throw badRequest(
      `a container name must be specified for pod ${name}, choose one of: [${names.join(' ')}]`,
    )
  }
  if (container !== '' && !names.includes(container)) {
    throw badRequest(`container ${container} is not valid for pod ${name}`)
  }
}
