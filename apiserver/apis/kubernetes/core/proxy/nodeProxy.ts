import { lookup } from 'node:dns/promises'
import { badRequest } from '../../../../meta/statusErrors.ts'
import type { AnsweredSubresource } from '../../../../registry/resource.ts'
import type { KindContext } from '../../builtInKind.ts'
import { kubeletAddress } from '../node/kubeletAddress.ts'
import { namedTarget } from './namedTarget.ts'
import { checkProxyable } from './proxyAddress.ts'
import { proxySubresource } from './proxySubresource.ts'

/** Proxies requests to a node: to its agent, or to the given port. */
export function nodeProxySubresource({ access }: KindContext): AnsweredSubresource {
  return proxySubresource({ plural: 'nodes', kind: 'Node', namespaced: false }, async (request) => {
    const { scheme, name, port } = namedTarget(request.name, 'node')
    const nodes = access.of(request).store({ group: '', resource: 'nodes' })
    const agent = kubeletAddress(await nodes.durable({ namespace: '', name }))
    const address = await resolved(agent.host)
    const isAgent = port === '' || port === String(agent.port)
    return {
      scheme: isAgent ? 'https' : scheme || 'http',
      ...{ address, host: agent.host },
      port: isAgent ? String(agent.port) : port,
    }
  })
}

/**
 * Address of a host. All addresses are checked, and a checked one is used rather than the name,
 * which may resolve differently a moment later. @throws StatusError 400.
 */
async function resolved(host: string): Promise<string> {
  const found = await lookup(host, { all: true }).catch((error: unknown) => {
    throw badRequest(`lookup ${host}: no such host`, error)
  })
  for (const { address } of found) checkProxyable(address)
  const [first] = found
  if (first === undefined) throw badRequest('no addresses for hostname')
  return first.address
}
