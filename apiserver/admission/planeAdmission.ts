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
import type { FollowedObjects } from './followedObjects.ts'
import { claimResize } from './plugins/claimResize.ts'
import { defaultIngressClass, defaultStorageClass } from './plugins/defaultClasses.ts'
import { defaultTolerationSeconds } from './plugins/defaultTolerationSeconds.ts'
import { limitRanger } from './plugins/limitRanger.ts'
import { podSecurity } from './plugins/podSecurity.ts'
import { priority } from './plugins/priority.ts'
import { resourceQuota } from './plugins/resourceQuota.ts'
import { serviceAccount } from './plugins/serviceAccount.ts'
import { storageObjectInUse } from './plugins/storageObjectInUse.ts'
import { taintNodesByCondition } from './plugins/taintNodesByCondition.ts'
import { quotasResource } from './quota/quota.ts'
import { QuotaCounter } from './quota/quotaCounter.ts'
import { namespaceLifecycle } from './plugins/namespaceLifecycle.ts'
import { RegisteredPolicies } from './policies/registeredPolicies.ts'
import { validatingPolicies } from './policies/validatingPolicies.ts'
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
  /** Told of errors that are nobody's request. */
  report: (error: unknown) => void
  /** Names of the plugins that are on. */
  enabled: ReadonlySet<string>
}

/** Admission of one plane: its plugins, and the webhooks and policies that its objects configure. */
export class PlaneAdmission implements AdmissionControl {
  readonly #objects: PlaneObjects
  readonly #client: WebhookClient
  readonly #chain: AdmissionChain
  readonly #quotas: FollowedObjects<string>
  readonly #counter: QuotaCounter | undefined

  constructor(options: PlaneAdmissionOptions) {
    const { storage, keyPrefix, clock, enabled } = options
    this.#objects = new PlaneObjects(storage, keyPrefix)
    this.#client = new WebhookClient(clock)
    const quotas = this.#objects.follow(quotasResource, ({ metadata }) => metadata.name ?? '')
    this.#quotas = quotas
    const plugins = [
      namespaceLifecycle(options.namespace),
      ...objectPlugins(options, this.#objects),
      ...webhookPlugins(options, this.#objects, this.#client),
      resourceQuota(this.#objects, quotas),
    ]
    if (enabled.has('ResourceQuota')) {
      this.#counter = new QuotaCounter({ ...options, objects: this.#objects, quotas })
    }
    this.#chain = new AdmissionChain(plugins.filter(({ name }) => enabled.has(name)))
  }

  /** Resolves when the stored configurations are known. */
  async start(): Promise<void> {
    await this.#objects.start()
    this.#counter?.start(this.#quotas.namespaces)
  }

  stop(): void {
    this.#objects.stop()
    this.#counter?.stop()
    this.#client.close()
  }

  stepsOf(target: AdmissionTarget): AdmissionSteps | undefined {
    return this.#chain.stepsOf(target)
  }
}

/** The plugins that prepare and check objects of one kind. */
function objectPlugins(
  { clock, random, namespace }: PlaneAdmissionOptions,
  objects: PlaneObjects,
): AdmissionPlugin[] {
  return [
    limitRanger(objects),
    serviceAccount({ objects, clock, random }),
    taintNodesByCondition,
    podSecurity(objects, namespace),
    priority(objects),
    defaultTolerationSeconds,
    defaultStorageClass(objects),
    storageObjectInUse,
    claimResize(objects),
    defaultIngressClass(objects),
  ]
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
    authorizerOf: (request) => authorizerValue(request, authorize),
  })
  const policies = new RegisteredPolicies(objects, resources, cel)
  return [
    validatingPolicies({
      ...{ policies, objects, resources, cel, namespace },
      authorizerOf: (request) => authorizerValue(request, authorize),
    }),
    mutatingWebhooks(registered('mutatingwebhookconfigurations'), caller),
    validatingWebhooks(registered('validatingwebhookconfigurations'), caller),
  ]
}
