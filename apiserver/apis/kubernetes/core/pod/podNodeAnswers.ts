import { goQuote } from '../../../../meta/goQuote.ts'
import { badRequest, notFound, plainError } from '../../../../meta/statusErrors.ts'
import type { StatusError } from '../../../../meta/status.ts'
import type { ApiObject } from '../../../../meta/types.ts'
import type { AnswerRequest } from '../../../../registry/answers.ts'
import { ignoreNotFound } from '../../../../registry/ignoring.ts'
import type { Store } from '../../../../registry/store.ts'
import type { AnsweredSubresource } from '../../../../registry/resource.ts'
import type { KindContext } from '../../builtInKind.ts'
import { kubeletAddress } from '../node/kubeletAddress.ts'
import { checkLogOptions } from './podLog.ts'
import { allContainers } from './podDefaults.ts'
import { podStreamParameters } from './podStreamParameters.ts'
import { asPod } from './podTypes.ts'

/**
 * Subresources that a node serves. No nodes run here, so each request is refused with the reason; only the log of an
 * unscheduled pod is empty. Source: Kubernetes API reference, "Misc operations" of Pod v1.
 */
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
    if (name === 'portforward') checkPorts(request.query)
    const object = await access.of(request).store({ group: '', resource: 'pods' }).durable(request)
    if (name !== 'portforward') checkContainer(object, request.query.get('container') ?? '')
    const { metadata, spec } = asPod({ ...object })
    const { name: pod = '' } = metadata
    if (spec.nodeName !== undefined) {
      const nodes = access.of(request).store({ group: '', resource: 'nodes' })
      const { host, port } = kubeletAddress(await nodeOf(nodes, spec.nodeName))
      throw refusal(`https://${host}:${port}`, name)
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

/** Node of a pod. @throws StatusError 404 that names a pod, as in the real server. */
async function nodeOf(nodes: Store, name: string): Promise<ApiObject> {
  const node = await nodes.durable({ namespace: '', name }).catch(ignoreNotFound)
  if (node === undefined) throw notFound({ group: '', resource: 'pods' }, name)
  return node
}

/** Refusal. A log request is a plain request that fails; all others would have been upgraded. */
function refusal(url: string, name: string): StatusError {
  if (name !== 'log') return badRequest('Upgrade request required')
  return plainError(`Get "${url}": this server reaches no nodes`)
}

/** Checks ports. @throws StatusError 400 for a value that is not a number. */
function checkPorts(query: URLSearchParams): void {
  const wrong = query.getAll('ports').find((port) => !/^\d+$/.test(port))
  if (wrong === undefined) return
  const why = `strconv.ParseUint: parsing ${goQuote(wrong)}: invalid syntax`
  throw badRequest(`cannot convert to []int32: ${why}`)
}

/**
 * Checks that a container is named if there are several.
 * @throws StatusError 400. Source: the real server's answers.
 */
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
