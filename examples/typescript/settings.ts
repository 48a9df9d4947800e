import { CoreV1Api, KubeConfig } from '@kubernetes/client-node'

/** The code under test: reads and changes a setting that is kept in a config map. */
export class Settings {
  readonly #api: CoreV1Api
  readonly #namespace: string

  constructor(config: KubeConfig, namespace: string) {
    this.#api = config.makeApiClient(CoreV1Api)
    this.#namespace = namespace
  }

  /** Value of a setting; undefined if it is not set. */
  async get(name: string): Promise<string | undefined> {
    const { items } = await this.#api.listNamespacedConfigMap({
      namespace: this.#namespace,
      fieldSelector: 'metadata.name=settings',
    })
    return items[0]?.data?.[name]
  }

  /** Sets the first setting. */
  async create(name: string, value: string): Promise<void> {
    await this.#api.createNamespacedConfigMap({
      namespace: this.#namespace,
      body: { metadata: { name: 'settings' }, data: { [name]: value } },
    })
  }
}
