import { isDeepStrictEqual } from 'node:util'
import { isIP } from 'node:net'
import { messageOf } from '../meta/messageOf.ts'
import type { Endpoint } from '../webhooks/connectionProblem.ts'
import type { ServiceObjects } from '../webhooks/webhookAddress.ts'
import { pathOf, type AvailableCondition, type RemoteService } from './remoteService.ts'
import type { Connections } from './remoteConnections.ts'
import { RemoteOpenApi } from './remoteOpenApi.ts'
import { discoveredResources, type DiscoveredResource } from './remoteGroup.ts'
import { locate } from './serviceCheck.ts'

const discoveryMs = 5_000

export interface BackendOptions {
  connections: Connections
  services: ServiceObjects
}

/** Server behind an APIService, and its last known state. */
export class Backend {
  readonly remote: RemoteService
  readonly openapi: RemoteOpenApi
  readonly #options: BackendOptions
  #resources: readonly DiscoveredResource[] = []
  #isAvailable: boolean

  constructor(remote: RemoteService, isAvailable: boolean, options: BackendOptions) {
    this.remote = remote
    this.#isAvailable = isAvailable
    this.#options = options
    this.openapi = new RemoteOpenApi(remote, options.connections)
  }

  /** Result of the last check. */
  get isAvailable(): boolean {
    return this.#isAvailable
  }

  /** Resources in the last list. */
  get resources(): readonly DiscoveredResource[] {
    return this.#resources
  }

  /** Address to send a request to; undefined: none. */
  async endpoint(): Promise<Endpoint | undefined> {
    const located = await locate(this.remote, this.#options.services)
    return 'endpoint' in located ? located.endpoint : undefined
  }

  /** Checks the service and its list of resources. `isChanged`: true if discovery changed. */
  async check(): Promise<{ condition: AvailableCondition; isChanged: boolean }> {
    const located = await locate(this.remote, this.#options.services)
    const known = { isAvailable: this.#isAvailable, resources: this.#resources }
    const condition =
      'missing' in located ? located.missing : await this.#discover(located.endpoint)
    this.#isAvailable = condition.status === 'True'
    const now = { isAvailable: this.#isAvailable, resources: this.#resources }
    if (this.#isAvailable && 'endpoint' in located) await this.openapi.refresh(located.endpoint)
    return { condition, isChanged: !isDeepStrictEqual(known, now) || this.openapi.takeChange() }
  }

  async #discover(endpoint: Endpoint): Promise<AvailableCondition> {
    const path = pathOf(this.remote)
    const host = isIP(endpoint.host) === 6 ? `[${endpoint.host}]` : endpoint.host
    const url = `https://${host}:${endpoint.port}${path}`
    const failed = (why: string): AvailableCondition => ({
      type: 'Available',
      status: 'False',
      reason: 'FailedDiscoveryCheck',
      message: `failing or missing response from ${url}: ${why}`,
    })
    const asked = { path, headers: { accept: 'application/json' }, timeoutMs: discoveryMs }
    try {
      const { code, body } = await this.#options.connections.read(this.remote, endpoint, asked)
      if (code < 200 || code >= 300) return failed(`bad status from ${url}: ${code}`)
      this.#resources = discoveredResources(body) ?? this.#resources
      return { type: 'Available', status: 'True', reason: 'Passed', message: 'all checks passed' }
    } catch (error) {
      return failed(messageOf(error))
    }
  }
}
