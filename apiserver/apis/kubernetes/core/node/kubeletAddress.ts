import { plainError } from '../../../../meta/statusErrors.ts'
import type { ApiObject } from '../../../../meta/types.ts'
import type { NodeStatus } from '../../shapes/coreV1.ts'

const preferredTypes = ['Hostname', 'InternalDNS', 'InternalIP', 'ExternalDNS', 'ExternalIP']
const defaultPort = 10250

/** Host and port of a node's agent. @throws StatusError 500 for a node without an address. */
export function kubeletAddress(node: ApiObject): { host: string; port: number } {
  // Guaranteed by the schema.
  const { addresses = [], daemonEndpoints } = (node['status'] ?? {}) as NodeStatus
  const found = preferredTypes.flatMap((type) => addresses.filter((one) => one.type === type))[0]
  if (found === undefined) {
    const known = addresses.map(({ type = '', address = '' }) => `{${type} ${address}}`)
    throw plainError(`no preferred addresses found; known addresses: [${known.join(' ')}]`)
  }
  const port = daemonEndpoints?.kubeletEndpoint?.Port ?? 0
  return { host: found.address ?? '', port: port === 0 ? defaultPort : port }
}
