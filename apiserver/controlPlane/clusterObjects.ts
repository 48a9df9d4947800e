import { definitionsResource } from '../apis/kubernetes/apiextensions/customResourceDefinition.ts'
import {
  builtInServices,
  customService,
  managedLabel,
  servicesResource,
} from '../apis/kubernetes/apiregistration/localServiceObjects.ts'
import type { PlaneAccess } from '../apis/planeAccess.ts'
import { flowcontrolGroup } from '../apis/kubernetes/flowcontrol/flowSchema.ts'
import {
  startFlowSchemas,
  startPriorityLevels,
} from '../apis/kubernetes/flowcontrol/startObjects.ts'
import {
  defaultServiceRange,
  firstServiceAddress,
} from '../apis/kubernetes/core/service/serviceAddress.ts'
import { addressesOfService } from '../apis/kubernetes/core/service/serviceAllocations.ts'
import { defaultServiceCidr } from '../apis/kubernetes/networking/serviceCidr.ts'
import { systemPriorityClasses } from '../apis/kubernetes/scheduling/systemPriorities.ts'
import { ServiceAddresses } from '../controllers/serviceAddresses.ts'
import { LocalServices } from '../controllers/localApiServices.ts'
import { NamespaceObjects, type NamespaceObject } from '../controllers/namespaceObjects.ts'
import type { TokenSecrets } from '../controllers/tokenSecrets.ts'
import type { Clock, Timer } from '../meta/clock.ts'
import { groupVersionString, type ApiObject, type GroupResource } from '../meta/types.ts'
import { ignoreAlreadyExists } from '../registry/ignoring.ts'
import { subresourceStrategy } from '../registry/resource.ts'
import type { Store } from '../registry/store.ts'
import { systemContext } from '../registry/systemContext.ts'
import {
  clusterControllers,
  type ClusterController,
} from '../runtime/options/clusterControllers.ts'
import {
  createAsServer,
  createUntracked,
  withAppliedConditions,
  type Create,
} from './createAsServer.ts'
import { planeTokenSecrets } from './planeTokenSecrets.ts'

export interface ClusterObjectsOptions {
  access: PlaneAccess
  clock: Clock
  /**
   * True for everything that kube-apiserver creates: with APIServices for the plane's resources, and
   * with field managers. They take more memory than all the rest of an empty plane, of which there
   * may be thousands.
   */
  isComplete: boolean
  /** Controllers to run. Default: all. */
  enabled?: ReadonlySet<ClusterController>
  /** Called with errors outside of requests. */
  report: (error: unknown) => void
}

/** The address of the server. */
export interface ServerAddress {
  url: string
  /** PEM; undefined: clients already trust the certificate. */
  caCertificate: string | undefined
}

const label = 'endpointslice.kubernetes.io/managed-by'
const serviceLabel = 'kubernetes.io/service-name'
/** Delay in milliseconds during which waiting clients have priority. */
const startDelayMs = 200

/**
 * Objects that clients expect on every server: the default service account and the CA certificate
 * of each namespace, the service of the API server, the system priority classes, the flow schemas
 * with their priority levels, the service address ranges, and the APIServices. They are created
 * after the start, so that no client has to wait for them.
 */
export class ClusterObjects {
  readonly #options: ClusterObjectsOptions
  #namespaceObjects: NamespaceObjects | undefined
  #localServices: LocalServices | undefined
  #tokenSecrets: TokenSecrets | undefined
  #addresses: ServiceAddresses | undefined
  #timer: Timer | undefined
  #isStopped = false

  constructor(options: ClusterObjectsOptions) {
    this.#options = options
  }

  /** Starts after a delay in milliseconds; errors are reported. */
  start(address: ServerAddress, delayMs = startDelayMs): void {
    this.#timer = this.#options.clock.setTimer(() => {
      void this.#start(address).catch((error: unknown) => this.#report(error))
    }, delayMs)
  }

  /** Stops; errors of pending operations are ignored. */
  stop(): void {
    this.#isStopped = true
    this.#timer?.cancel()
    this.#namespaceObjects?.stop()
    this.#localServices?.stop()
    this.#tokenSecrets?.stop()
    this.#addresses?.stop()
  }

  get #create(): Create {
    return this.#options.isComplete ? createAsServer : createUntracked
  }

  #report(error: unknown): void {
    if (!this.#isStopped) this.#options.report(error)
  }

  async #start(address: ServerAddress): Promise<void> {
    const { access, clock, isComplete, enabled = clusterControllers } = this.#options
    const report = (error: unknown) => this.#report(error)
    const { caCertificate } = address
    const namespaceObjects = this.#objectsOfNamespaces(address, enabled)
    this.#namespaceObjects = namespaceObjects
    if (isComplete) this.#localServices = this.#servicesOf()
    if (enabled.has('serviceaccount-token-controller')) {
      this.#tokenSecrets = planeTokenSecrets({ access, caCertificate, clock, report })
    }
    const addresses = this.#addressesOf()
    this.#addresses = addresses
    await Promise.all([
      namespaceObjects.start(),
      addresses.start(),
      this.#tokenSecrets?.start(),
      this.#localServices?.start(),
      this.#serviceOf(address),
      ...this.#startObjects().map(({ resource, ...start }) => {
        const { objects } = start
        const tracked = isComplete ? start : { objects }
        return ensureAll(access.store(resource), { ...tracked, create: this.#create })
      }),
    ])
  }

  #objectsOfNamespaces(
    { caCertificate }: ServerAddress,
    enabled: ReadonlySet<ClusterController>,
  ): NamespaceObjects {
    const { access, clock } = this.#options
    const core = (resource: string) => access.store({ group: '', resource })
    const objects: NamespaceObject[] = []
    if (enabled.has('serviceaccount-controller')) {
      objects.push({ store: core('serviceaccounts'), name: 'default', content: {} })
    }
    if (enabled.has('root-ca-certificate-publisher-controller') && caCertificate !== undefined) {
      const content = { data: { 'ca.crt': caCertificate } }
      objects.push({ store: core('configmaps'), name: 'kube-root-ca.crt', content })
    }
    return new NamespaceObjects({
      namespaces: core('namespaces'),
      objects,
      clock,
      report: (error) => this.#report(error),
    })
  }

  /** Cluster-scoped objects of every cluster, by resource. */
  #startObjects(): (StartObjects & { resource: GroupResource })[] {
    const flowcontrol = (resource: string) => ({ group: flowcontrolGroup, resource })
    return [
      {
        resource: { group: 'scheduling.k8s.io', resource: 'priorityclasses' },
        objects: systemPriorityClasses(),
      },
      {
        resource: flowcontrol('prioritylevelconfigurations'),
        objects: startPriorityLevels(),
        manager: flowProducer,
      },
      {
        resource: flowcontrol('flowschemas'),
        objects: startFlowSchemas(),
        manager: flowProducer,
        statusManager: 'api-priority-and-fairness-config-consumer-v1',
      },
      {
        resource: { group: 'networking.k8s.io', resource: 'servicecidrs' },
        objects: [defaultServiceCidr(this.#options.access.serviceRanges())],
        statusManager: 'kubernetes-service-cidr-controller',
      },
    ]
  }

  #addressesOf(): ServiceAddresses {
    const { access, clock } = this.#options
    return new ServiceAddresses({
      services: access.store({ group: '', resource: 'services' }),
      addresses: access.store({ group: 'networking.k8s.io', resource: 'ipaddresses' }),
      addressesOf: addressesOfService,
      create: this.#create,
      clock,
      report: (error) => this.#report(error),
    })
  }

  #servicesOf(): LocalServices {
    const { access, clock } = this.#options
    return new LocalServices({
      services: access.store(servicesResource),
      definitions: access.store(definitionsResource),
      builtIn: builtInServices(access.resources()),
      custom: customService,
      managedLabel,
      clock,
      report: (error) => this.#report(error),
    })
  }

  async #serviceOf({ url }: ServerAddress): Promise<void> {
    const { access } = this.#options
    const { hostname, port } = new URL(url)
    const host = hostname.replace(/^\[|\]$/g, '')
    const ports = [{ name: 'https', port: Number(port === '' ? 443 : port), protocol: 'TCP' }]
    const services = access.store({ group: '', resource: 'services' })
    const slices = access.store({ group: 'discovery.k8s.io', resource: 'endpointslices' })
    const endpoints = access.store({ group: '', resource: 'endpoints' })
    const create = this.#create
    await Promise.all([
      ensure(
        { store: services, create },
        { component: 'apiserver', provider: 'kubernetes' },
        (old) => ({
          spec: {
            ipFamilyPolicy: 'SingleStack',
            ...(old['spec'] as object | undefined),
            clusterIP: firstServiceAddress(access.serviceRanges()?.[0] ?? defaultServiceRange),
            ports: [{ name: 'https', port: 443, targetPort: ports[0]?.port, protocol: 'TCP' }],
          },
        }),
      ),
      ensure(
        { store: slices, create },
        { [serviceLabel]: 'kubernetes', [label]: 'apiserver' },
        () => ({
          addressType: host.includes(':') ? 'IPv6' : 'IPv4',
          endpoints: [{ addresses: [host], conditions: { ready: true } }],
          ports,
        }),
      ),
      ensure({ store: endpoints, create }, { [serviceLabelOfEndpoints]: 'true' }, () => ({
        subsets: [{ addresses: [{ ip: host }], ports }],
      })),
    ])
  }
}

/** Initial objects of one kind, with their field managers. Source: seen on kube-apiserver 1.37.2. */
interface StartObjects {
  objects: readonly ApiObject[]
  /** Default: the server. */
  manager?: string
  /** Manager that applies the status. Default: none. */
  statusManager?: string
}

interface Creating {
  create: Create
}

const flowProducer = 'api-priority-and-fairness-config-producer-v1'

/** Creates the objects that are missing. */
async function ensureAll(store: Store, start: StartObjects & Creating): Promise<void> {
  const { objects } = start
  const missing = objects.filter(({ metadata: { name = '' } }) => {
    return store.options.storage.newest(store.keyOf({ namespace: '', name })) === undefined
  })
  const create = (object: ApiObject) => createWithStatus(store, object, start)
  await Promise.all(missing.map((object) => create(object).catch(ignoreAlreadyExists)))
}

/**
 * Creates an object, then writes its status, which a create drops. Conditions get the object's
 * creation time.
 */
async function createWithStatus(
  store: Store,
  object: ApiObject,
  { manager, statusManager, create }: Omit<StartObjects, 'objects'> & Creating,
): Promise<void> {
  const { name = '' } = object.metadata
  const { status = {}, ...created } = structuredClone(object)
  await create(store, created, manager)
  // The initial status of these objects contains only conditions.
  const { conditions } = status as { conditions?: { type: string }[] }
  const strategy = subresourceStrategy(store.resource, 'status')
  if (conditions === undefined || strategy === undefined) return
  const transform = (old: ApiObject): ApiObject => {
    const lastTransitionTime = old.metadata.creationTimestamp
    const timed = conditions.map((condition) => ({ ...condition, lastTransitionTime }))
    const next = { ...old, status: { conditions: timed } }
    return statusManager === undefined ? next : withAppliedConditions(next, statusManager)
  }
  await store.update({ namespace: '', name }, { transform, strategy }, systemContext())
}

/** Label that prevents other controllers from mirroring the endpoints into slices. */
const serviceLabelOfEndpoints = 'endpointslice.kubernetes.io/skip-mirror'

/** Creates or updates the object `default/kubernetes` of a kind. */
async function ensure(
  { store, create }: { store: Store } & Creating,
  labels: Record<string, string>,
  content: (old: Readonly<Record<string, unknown>>) => Record<string, unknown>,
): Promise<void> {
  const { resource } = store
  const target = { namespace: 'default', name: 'kubernetes' }
  const transform = (old: ApiObject): ApiObject => ({ ...old, ...content(old) })
  const object = {
    kind: resource.kind,
    apiVersion: groupVersionString(resource),
    metadata: { ...target, labels },
    ...content({}),
  }
  try {
    const isThere = store.options.storage.newest(store.keyOf(target)) !== undefined
    await (isThere ? store.update(target, { transform }, systemContext()) : create(store, object))
  } catch (error) {
    ignoreAlreadyExists(error)
  }
}
