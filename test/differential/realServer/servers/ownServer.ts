import { Agent } from 'node:http'
import type { GivenServerOptions } from '../../../../apiserver/runtime/options/serverOptions.ts'
import { startServer } from '../../../../apiserver/server.ts'
import { ownAdmission } from '../admission/admissionSetup.ts'
import { post } from '../../call.ts'
import { send, type Side } from '../../side.ts'

/** Server in this process, serving the API of one cluster. */
export interface OwnServer {
  side: Side
  stop: () => Promise<void>
}

const prefix = '/kubernetes/cluster/real'
const key = 'differential-admin-access-key'

/**
 * Starts a server with storage in memory, and a cluster in it, whose plane serves the built-in
 * kinds.
 */
export async function startOwnServer(
  admission: GivenServerOptions = ownAdmission({}, ''),
): Promise<OwnServer> {
  const running = await startServer({
    storage: 'memory',
    securePort: 0,
    insecurePort: 0,
    adminAccessKey: key,
    logLevel: 'silent',
    shutdownGraceSeconds: 0,
    ...admission,
  })
  const { port } = new URL(running.insecureUrl ?? running.url)
  const agent = new Agent({ keepAlive: true })
  // The second user is impersonated on request.
  const tokens = { admin: key, bob: '' }
  const root: Side = { name: 'ours', port: Number(port), secure: false, tokens, agent }
  const cluster = post('/apis/management.platform/v1/clusters', { metadata: { name: 'real' } })
  await send(root, cluster)
  return {
    side: { ...root, prefix, secureUrl: running.url + prefix },
    stop: async () => {
      agent.destroy()
      await running.stop()
    },
  }
}
