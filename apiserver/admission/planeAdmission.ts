import type { Authorizer } from '../authorization/authorizer.ts'
import { AdmissionExpressions } from '../cel/admissionExpressions.ts'
import type { Clock, Random } from '../meta/clock.ts'
import type {
  AdmissionControl,
  AdmissionRequest,
  AdmissionSteps,
  AdmissionTarget,
} from '../registry/admission.ts'
import type { ResourceSet } from '../registry/resourceSet.ts'
import type { Storage } from '../storage/storage.ts'
import { AdmissionChain } from './admissionChain.ts'
import type { AdmissionPlugin } from './admissionPlugin.ts'
import { authorizerValue } from './authorizerValue.ts'
import { PlaneObjects } from './planeObjects.ts'
import type { FollowedObjects } from './followedObjects.ts'
import { alwaysAdmit, alwaysDeny } from './plugins/anyKind/alwaysAnswers.ts'
import { denyExternalIps } from './plugins/anyKind/denyExternalIps.ts'
import { namespaceExists } from './plugins/anyKind/namespaceExists.ts'
import { ownerPermission } from './plugins/anyKind/ownerReferencesPermission.ts'
import { signerRights } from './plugins/certificates/signerRights.ts'
import { subjectRestriction } from './plugins/certificates/subjectRestriction.ts'
import { eventRateLimit } from './plugins/events/eventRateLimit.ts'
import { nodeRestriction } from './plugins/nodes/nodeRestriction.ts'
import { declaredFeatures } from './plugins/pods/declaredFeatures.ts'
import { alwaysPullImages } from './plugins/pods/alwaysPullImages.ts'
import { antiAffinityTopology } from './plugins/pods/antiAffinityTopology.ts'
import { extendedResourceToleration } from './plugins/pods/extendedResourceToleration.ts'
import { podNodeSelector } from './plugins/pods/podNodeSelector.ts'
import { podResizeValidator } from './plugins/pods/podResizeValidator.ts'
import { podTolerationRestriction } from './plugins/pods/podTolerationRestriction.ts'
import { podTopologyLabels } from './plugins/pods/podTopologyLabels.ts'
import { runtimeClass } from './plugins/pods/runtimeClass.ts'
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
import type { TypeProblem } from './policies/mutations.ts'
import { mutatingPolicies } from './policies/mutatingPolicies.ts'
import { validatingPolicies } from './policies/validatingPolicies.ts'
import type { NamespaceLookup } from './selectors.ts'
import { mutatingWebhooks } from './webhooks/mutatingWebhooks.ts'
import { RegisteredWebhooks } from './webhooks/registeredWebhooks.ts'
import { validatingWebhooks } from './webhooks/validatingWebhooks.ts'
import { WebhookCaller } from './webhooks/webhookCaller.ts'
import type { PluginChoice } from '../runtime/options/admissionPlugins.ts'
import type { ServiceObjects } from '../webhooks/webhookAddress.ts'
import { WebhookClient } from '../webhooks/webhookClient.ts'

export interface PlaneAdmissionOptions {
  storage: Storage
  /** Prefix of the plane's keys. */
  keyPrefix: string
  resources: () => ResourceSet
  namespace: NamespaceLookup
  authorize: Authorizer
  clock: Clock
  random: Random
  /** Called with errors outside of requests. */
  report: (error: unknown) => void
  /** Reports type errors of objects that policies produce. */
  typeProblem: TypeProblem
  /** The enabled plugins. */
  plugins: PluginChoice
}

/** Admission of one plane: its plugins, and the webhooks and policies that its objects configure. */
export class PlaneAdmission implements AdmissionControl {
  readonly #objects: PlaneObjects
  /** Dependencies of webhook calls, including calls outside of admission. */
  readonly calls: { client: WebhookClient; services: ServiceObjects; random: Random }
  readonly #chain: AdmissionChain
  readonly #quotas: FollowedObjects<string>
  readonly #counter: QuotaCounter | undefined

  constructor(options: PlaneAdmissionOptions) {
    const { storage, keyPrefix, clock } = options
    const { names } = options.plugins
    this.#objects = new PlaneObjects(storage, keyPrefix)
    this.calls = {
      client: new WebhookClient(clock),
      services: this.#objects,
      random: options.random,
    }
    const quotas = this.#objects.follow(quotasResource, ({ metadata }) => metadata.name ?? '')
    this.#quotas = quotas
    const plugins = [
      namespaceLifecycle(options.namespace, { reachNewest: () => storage.reachNewest() }),
      ...objectPlugins(options, this.#objects),
      ...webhookPlugins(options, this.#objects, this.calls.client),
      resourceQuota(this.#objects, quotas),
    ]
    if (names.has('ResourceQuota')) {
      this.#counter = new QuotaCounter({ ...options, objects: this.#objects, quotas })
    }
    this.#chain = new AdmissionChain(plugins.filter(({ name }) => names.has(name)))
  }

  /** Resolves when the stored configurations are loaded. */
  async start(): Promise<void> {
    await this.#objects.start()
    this.#counter?.start(this.#quotas.namespaces)
  }

  stop(): void {
    this.#objects.stop()
    this.#counter?.stop()
    this.calls.client.close()
  }

  stepsOf(target: AdmissionTarget): AdmissionSteps | undefined {
    return this.#chain.stepsOf(target)
  }
}

/** Creates the plugins that prepare and check objects of one kind. */
function objectPlugins(options: PlaneAdmissionOptions, objects: PlaneObjects): AdmissionPlugin[] {
  const { clock, random, namespace, authorize } = options
  return [
    alwaysAdmit,
    namespaceExists(namespace),
    antiAffinityTopology,
    limitRanger(objects),
    serviceAccount({ objects, clock, random }),
    nodeRestriction(objects, authorize),
    taintNodesByCondition,
    alwaysPullImages,
    podSecurity(objects, namespace),
    podNodeSelector(namespace),
    priority(objects),
    defaultTolerationSeconds,
    podTolerationRestriction(namespace),
    eventRateLimit(options.plugins.eventLimits, clock),
    extendedResourceToleration,
    defaultStorageClass(objects),
    storageObjectInUse,
    ownerPermission(options),
    claimResize(objects),
    runtimeClass(objects),
    ...signerRights(authorize),
    subjectRestriction,
    defaultIngressClass(objects),
    denyExternalIps,
    podTopologyLabels(objects),
    declaredFeatures(objects),
    podResizeValidator(objects),
    alwaysDeny,
  ]
}

const group = 'admissionregistration.k8s.io'

function webhookPlugins(
  { resources, namespace, random, authorize, typeProblem }: PlaneAdmissionOptions,
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
  const bound = (kind: string) =>
    new RegisteredPolicies({
      ...{ objects, resources, cel },
      policies: `${kind}admissionpolicies`,
      bindings: `${kind}admissionpolicybindings`,
    })
  const options = {
    ...{ objects, resources, namespace },
    authorizerOf: (request: AdmissionRequest) => authorizerValue(request, authorize),
  }
  return [
    mutatingPolicies({ ...options, policies: bound('mutating'), typeProblem }),
    validatingPolicies({ ...options, policies: bound('validating') }),
    mutatingWebhooks(registered('mutatingwebhookconfigurations'), caller, {
      resources,
      typeProblem,
    }),
    validatingWebhooks(registered('validatingwebhookconfigurations'), caller),
  ]
}
