import {
  CoreV1Api,
  CustomObjectsApi,
  KubeConfig,
  KubernetesObjectApi,
} from '@kubernetes/client-node'
import type { ApiClient } from '../support/apiClient.ts'
import { group, namespaceObject, namespacesPath } from '../support/objects.ts'
import { ServerProcess, type Surroundings } from '../support/serverProcess.ts'

/** Context of a scenario: the client's APIs, the server and a namespace for it. */
export class ClientNodeContext {
  readonly server: ServerProcess
  readonly namespace: string
  readonly config = new KubeConfig()
  #scenarios = 0

  private constructor(server: ServerProcess, namespace: string) {
    this.server = server
    this.namespace = namespace
    this.config.loadFromFile(server.kubeconfig)
  }

  static async open(around: Surroundings): Promise<ClientNodeContext> {
    const server = new ServerProcess(around, 'client-node')
    await server.start()
    return new ClientNodeContext(server, 'default')
  }

  /** The context of the next scenario, with a new namespace. */
  async next(): Promise<ClientNodeContext> {
    const namespace = `space-${++this.#scenarios}`
    await this.api.create(namespacesPath, namespaceObject(namespace))
    return new ClientNodeContext(this.server, namespace)
  }

  /** Plain HTTP, for requests that the client does not offer. */
  get api(): ApiClient {
    return this.server.client()
  }

  get core(): CoreV1Api {
    return this.config.makeApiClient(CoreV1Api)
  }

  get custom(): CustomObjectsApi {
    return this.config.makeApiClient(CustomObjectsApi)
  }

  get objects(): KubernetesObjectApi {
    return KubernetesObjectApi.makeApiClient(this.config)
  }

  /** Shared secrets of the namespace, as addressed by the custom objects API. */
  get secrets() {
    return { group, version: 'v1', namespace: this.namespace, plural: 'sharedsecrets' }
  }

  async close(): Promise<void> {
    await this.server.stop()
  }
}
