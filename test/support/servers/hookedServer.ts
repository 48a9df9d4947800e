import { expect } from 'chai'
import type { HttpClient } from '../../endpoints/support/httpClient.ts'
import { useTestServer } from '../../endpoints/support/testServer.ts'
import { WebhookServer } from './webhookServer.ts'

const group = '/apis/admissionregistration.k8s.io/v1'
export const validating = `${group}/validatingwebhookconfigurations`
export const mutating = `${group}/mutatingwebhookconfigurations`
export const configMaps = '/api/v1/namespaces/hooked/configmaps'

/** Server and webhook server, with a namespace whose objects the webhooks review. */
export class HookedServer {
  readonly admin: HttpClient
  readonly hooks: WebhookServer
  #count = 0

  constructor(admin: HttpClient, hooks: WebhookServer) {
    this.admin = admin
    this.hooks = hooks
  }

  async register(path: string, name: string, ...webhooks: object[]): Promise<void> {
    const made = await this.admin.post(path, { metadata: { name }, webhooks })
    expect(made.status, made.text).to.equal(201)
  }

  /** Config map with a unique name. */
  configMap(): object {
    return { metadata: { name: `c${this.#count++}` }, data: { k: 'v' } }
  }

  firstReview(): Record<string, unknown> {
    return { ...this.hooks.reviews[0]?.request }
  }
}

/**
 * Starts both before the tests of a file; configurations and reviews of a test are removed after
 * it.
 */
export function useHookedServer(): () => HookedServer {
  const server = useTestServer()
  let hooked: HookedServer | undefined
  before(async () => {
    const { admin } = server()
    hooked = new HookedServer(admin, await WebhookServer.open(['hook.hooked.svc']))
    const metadata = { name: 'hooked', labels: { hooked: 'yes' } }
    await admin.post('/api/v1/namespaces', { metadata })
  })
  after(() => hooked?.hooks.close())
  afterEach(async () => {
    for (const path of [validating, mutating]) await hooked?.admin.call(path, { method: 'DELETE' })
    hooked?.hooks.reviews.splice(0)
    hooked?.hooks.behaviours.clear()
  })
  return () => {
    if (hooked === undefined) throw new Error('the server is not started yet')
    return hooked
  }
}
