import type { Authorizer } from '../authorization/authorizer.ts'
import { AdmissionExpressions } from '../cel/admissionExpressions.ts'
import type { Clock, Random } from '../meta/clock.ts'
import type { AdmissionControl, AdmissionSteps, AdmissionTarget } from '../registry/admission.ts'
import type { ResourceSet } from '../registry/resourceSet.ts'
import type { Storage } from '../storage/storage.ts'
import { AdmissionChain } from './admissionChain.ts'
import type { AdmissionPlugin } from './admissionPlugin.ts'
import { authorizerValue } from './authorizerValue.ts'
import { PlaneObjects } from './planeObjects.ts'
import { namespaceLifecycle } from './plugins/namespaceLifecycle.ts'
import type { NamespaceLookup } from './selectors.ts'
import { mutatingWebhooks } from './webhooks/mutatingWebhooks.ts'
import { RegisteredWebhooks } from './webhooks/registeredWebhooks.ts'
import { validatingWebhooks } from './webhooks/validatingWebhooks.ts'
import { WebhookCaller } from './webhooks/webhookCaller.ts'
import { WebhookClient } from './webhooks/webhookClient.ts'

export interface PlaneAdmissionOptions {
  storage: Storage
  /** Keys of the plane begin with this. */
  keyPrefix: string
  resources: () => ResourceSet
  namespace: NamespaceLookup
  authorize: Authorizer
  clock: Clock
  random: Random
  /** Names of the plugins that are on. */
  enabled: ReadonlySet<string>
}

/** Admission of one plane: its plugins, and the webhooks and policies that its objects configure. */
export class PlaneAdmission implements AdmissionControl {
  readonly #objects: PlaneObjects
  readonly #client: WebhookClient
  readonly #chain: AdmissionChain

  constructor(options: PlaneAdmissionOptions) {
    const { storage, keyPrefix, clock, enabled } = options
    this.#objects = new PlaneObjects(storage, keyPrefix)
    this.#client = new WebhookClient(clock)
    const plugins = [
      namespaceLifecycle(options.namespace),
      ...webhookPlugins(options, this.#objects, this.#client),
    ]
    this.#chain = new AdmissionChain(plugins.filter(({ name }) => enabled.has(name)))
  }

  /** Resolves when the stored configurations are known. */
  start(): Promise<void> {
    return this.#objects.start()
  }

  stop(): void {
    this.#objects.stop()
    this.#client.close()
  }

  stepsOf(target: AdmissionTarget): AdmissionSteps | undefined {
    return this.#chain.stepsOf(target)
  }
}

const group = 'admissionregistration.k8s.io'

function webhookPlugins(
  { resources, namespace, random, authorize }: PlaneAdmissionOptions,
  objects: PlaneObjects,
  client: WebhookClient,
): AdmissionPlugin[] {
  const cel = new AdmissionExpressions()
  const registered = (resource: string) =>
    new RegisteredWebhooks({ objects, resource: { group, resource }, resources, cel })
  const caller = new WebhookCaller({
    ...{ client, cel, random, namespace, services: objects },
    authorizerOf: (user) => authorizerValue(user, authorize),
  })
  return [
    mutatingWebhooks(registered('mutatingwebhookconfigurations'), caller),
    validatingWebhooks(registered('validatingwebhookconfigurations'), caller),
  ]
}
