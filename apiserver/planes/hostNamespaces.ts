import { namespaceResource } from '../apis/kubernetes/core/namespace/namespace.ts'
import { ownHostNamespace, projectOf } from '../apis/management/instances/instanceParts.ts'
import { objectIfAny } from '../apis/storeReads.ts'
import type { ControlPlane } from '../controlPlane/controlPlane.ts'
import { goQuote } from '../meta/goQuote.ts'
import { instanceMark, isReservedNamespace, spaceMark } from '../meta/names/namespaceMarks.ts'
import type { NamesProfile } from '../meta/names/namesProfile.ts'
import { groupVersionString, type ApiObject } from '../meta/types.ts'
import { ignoring } from '../registry/ignoring.ts'
import type { Store } from '../registry/store.ts'
import { systemContext } from '../registry/systemContext.ts'
import { storedObjects } from '../controlPlane/serviceAccounts.ts'
import type { Storage } from '../storage/storage.ts'
import { planeKeyPrefix } from './planeRemoval.ts'
import { hostOf } from './syncedInstance.ts'

export interface HostNamespacesOptions {
  names: NamesProfile
  storage: Storage
  clusters: Store
  projectNamespacePrefix: () => string
  /** Reports whether an instance with this uid exists. */
  isInstance: (uid: string) => boolean
  /** Opens the plane of an existing cluster. */
  openCluster: (cluster: string, signal: AbortSignal) => Promise<ControlPlane>
}

/** The placement of an instance on its host. */
export interface HostNamespace {
  /** Uid of the instance. */
  uid: string
  project: string
  /** Cluster; empty: none is named. */
  cluster: string
  namespace: string
  /** True if the namespace has the generated name, which is unique to the instance. */
  isOwnName: boolean
}

/** The reason why an instance cannot be synced to its host namespace. */
export interface HostProblem {
  reason: 'Reserved' | 'Taken'
  message: string
}

/**
 * The host namespaces of instances. A missing one is created with a mark of its owner; a space, or
 * a namespace marked for another instance, is refused, since any user who may create instances
 * chooses names. A namespace without a mark is used unchanged: users create such namespaces for one
 * or several virtual clusters.
 */
export class HostNamespaces {
  readonly #options: HostNamespacesOptions
  readonly #space: string
  readonly #instance: string

  constructor(options: HostNamespacesOptions) {
    this.#options = options
    this.#space = spaceMark(options.names)
    this.#instance = instanceMark(options.names)
  }

  hostNamespaceOf(instance: ApiObject): HostNamespace {
    const { uid = '' } = instance.metadata
    const { cluster, namespace } = hostOf(instance)
    const { names, projectNamespacePrefix } = this.#options
    const prefix = projectNamespacePrefix()
    const project = projectOf(instance, prefix)
    const own = ownHostNamespace(instance, prefix, names)
    const host = namespace === '' ? own : namespace
    return { uid, project, cluster, namespace: host, isOwnName: host === own }
  }

  /** Checks a namespace without opening the plane of the cluster or changing anything. Undefined: no known problem. */
  problem(hostNamespace: HostNamespace): HostProblem | undefined {
    const { names, isInstance } = this.#options
    const { uid, cluster, namespace, isOwnName } = hostNamespace
    const annotations = this.#annotationsOf(hostNamespace)
    const because = (reason: HostProblem['reason'], what: string) => {
      const subject = `namespace ${goQuote(namespace)} of cluster ${goQuote(cluster)}`
      const help = 'spec.clusterRef.namespace has to name another one'
      return { reason, message: `${subject} ${what}; ${help}` }
    }
    if (annotations === undefined) {
      const isFree = isOwnName || !isReservedNamespace(namespace, names)
      return isFree ? undefined : because('Reserved', 'has a name that is reserved')
    }
    if (annotations[this.#space] !== undefined) return because('Taken', 'belongs to a space')
    const owner = annotations[this.#instance]
    const isOther = owner !== undefined && owner !== uid && isInstance(owner)
    return isOther ? because('Taken', 'belongs to another virtual cluster') : undefined
  }

  /**
   * Claims the namespace before anything is written into it: creates a missing one, and adopts one of a deleted
   * instance. Returns the problem, if any.
   */
  async claim(hostNamespace: HostNamespace, signal: AbortSignal): Promise<HostProblem | undefined> {
    const problem = this.problem(hostNamespace)
    const annotations = this.#annotationsOf(hostNamespace)
    const owner = annotations?.[this.#instance]
    const isSettled =
      annotations !== undefined && (owner === undefined || owner === hostNamespace.uid)
    if (problem !== undefined || isSettled) return problem
    const plane = await this.#options.openCluster(hostNamespace.cluster, signal)
    await this.#mark(plane.storeOf(namespaceResource), hostNamespace, owner).catch(ignoreFaster)
    return this.problem(hostNamespace)
  }

  /** Marks a namespace. `gone`: its former, deleted instance. */
  async #mark(store: Store, hostNamespace: HostNamespace, gone: string | undefined): Promise<void> {
    const target = { namespace: '', name: hostNamespace.namespace }
    if (objectIfAny(store, target) === undefined) {
      await store.create(this.#namespace(hostNamespace), systemContext())
      return
    }
    const transform = (next: ApiObject): ApiObject =>
      next.metadata.annotations?.[this.#instance] === gone
        ? this.#marked(next, hostNamespace)
        : next
    await store.update(target, { transform }, systemContext())
  }

  #namespace(hostNamespace: HostNamespace): ApiObject {
    const { kind } = namespaceResource
    const apiVersion = groupVersionString(namespaceResource)
    return this.#marked(
      { kind, apiVersion, metadata: { name: hostNamespace.namespace } },
      hostNamespace,
    )
  }

  #marked({ metadata, ...rest }: ApiObject, { uid, project }: HostNamespace): ApiObject {
    const label = project === '' ? {} : { [`${this.#options.names.domain}/project`]: project }
    return {
      ...rest,
      metadata: {
        ...metadata,
        labels: { ...metadata.labels, ...label },
        annotations: { ...metadata.annotations, [this.#instance]: uid },
      },
    }
  }

  /** Annotations of the namespace; undefined: it does not exist. */
  #annotationsOf({
    cluster,
    namespace,
  }: HostNamespace): Readonly<Record<string, string>> | undefined {
    const { storage, clusters } = this.#options
    const uid = clusters.cache.get(clusters.keyOf({ namespace: '', name: cluster }))?.object()
      .metadata.uid
    const find = storedObjects(storage, () => uid && planeKeyPrefix(uid))
    const found = find('namespaces', { namespace: '', name: namespace })
    return found && (found.metadata.annotations ?? {})
  }
}

/** Ignores that another instance created or a user deleted it first: its current state decides. */
const ignoreFaster = ignoring('AlreadyExists', 'NotFound')
