import { namespaceResource } from '../apis/kubernetes/core/namespace/namespace.ts'
import { objectIfAny } from '../apis/storeReads.ts'
import type { ControlPlane } from '../controlPlane/controlPlane.ts'
import { goQuote } from '../meta/goQuote.ts'
import { instanceMark, isReservedNamespace, spaceMark } from '../meta/names/namespaceMarks.ts'
import type { NamesProfile } from '../meta/names/namesProfile.ts'
import { StatusError } from '../meta/status.ts'
import { groupVersionString, type ApiObject } from '../meta/types.ts'
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
  /** Whether there is an instance with this uid. */
  isInstance: (uid: string) => boolean
  /** The plane of a cluster that is there. */
  openCluster: (cluster: string, signal: AbortSignal) => Promise<ControlPlane>
}

/** Where an instance is synced to. */
export interface HostHome {
  /** Of the instance. */
  uid: string
  project: string
  /** Empty: it names none. */
  cluster: string
  namespace: string
  /** The name that the namespace has where the instance names none: no other instance's is like it. */
  isOwnName: boolean
}

/** Why an instance cannot be synced to its host namespace. */
export interface HostProblem {
  reason: 'Reserved' | 'Taken'
  message: string
}

/** The host namespaces of instances. One that is absent is made and says whose it is; one that is a space, or says that it
 *  is of another instance, is nobody else's, since whoever may make instances names any. One that says nothing is used as
 *  it is: people make them for a virtual cluster, or for several. */
export class HostNamespaces {
  readonly #options: HostNamespacesOptions
  readonly #space: string
  readonly #instance: string

  constructor(options: HostNamespacesOptions) {
    this.#options = options
    this.#space = spaceMark(options.names)
    this.#instance = instanceMark(options.names)
  }

  homeOf(instance: ApiObject): HostHome {
    const { uid = '', name = '', namespace: within = '' } = instance.metadata
    const { cluster, namespace } = hostOf(instance)
    const { names, projectNamespacePrefix } = this.#options
    const prefix = projectNamespacePrefix()
    const project = within.startsWith(prefix) ? within.slice(prefix.length) : ''
    const own = `${names.platform}-${project}-v-${name}`
    const host = namespace === '' ? own : namespace
    return { uid, project, cluster, namespace: host, isOwnName: host === own }
  }

  /** Looks without opening the plane of the cluster, and changes nothing. Undefined: the namespace can be the instance's,
   *  as far as is known now. */
  problem(home: HostHome): HostProblem | undefined {
    const { names, isInstance } = this.#options
    const { uid, cluster, namespace, isOwnName } = home
    const annotations = this.#annotationsOf(home)
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

  /** Makes the namespace the instance's before anything is written into it: makes it where it is absent, and takes over
   *  one of an instance that is gone. Gives why it cannot be. */
  async claim(home: HostHome, signal: AbortSignal): Promise<HostProblem | undefined> {
    const problem = this.problem(home)
    const annotations = this.#annotationsOf(home)
    const owner = annotations?.[this.#instance]
    const isSettled = annotations !== undefined && (owner === undefined || owner === home.uid)
    if (problem !== undefined || isSettled) return problem
    const plane = await this.#options.openCluster(home.cluster, signal)
    await this.#mark(plane.storeOf(namespaceResource), home, owner).catch(ignoreFaster)
    return this.problem(home)
  }

  /** `gone`: the instance that it was of. */
  async #mark(store: Store, home: HostHome, gone: string | undefined): Promise<void> {
    const target = { namespace: '', name: home.namespace }
    if (objectIfAny(store, target) === undefined) {
      await store.create(this.#namespace(home), systemContext())
      return
    }
    const transform = (next: ApiObject): ApiObject =>
      next.metadata.annotations?.[this.#instance] === gone ? this.#marked(next, home) : next
    await store.update(target, { transform }, systemContext())
  }

  #namespace(home: HostHome): ApiObject {
    const { kind } = namespaceResource
    const apiVersion = groupVersionString(namespaceResource)
    return this.#marked({ kind, apiVersion, metadata: { name: home.namespace } }, home)
  }

  #marked({ metadata, ...rest }: ApiObject, { uid, project }: HostHome): ApiObject {
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

  /** Undefined: there is no such namespace. */
  #annotationsOf({ cluster, namespace }: HostHome): Readonly<Record<string, string>> | undefined {
    const { storage, clusters } = this.#options
    const uid = clusters.cache.get(clusters.keyOf({ namespace: '', name: cluster }))?.object()
      .metadata.uid
    const find = storedObjects(storage, () => uid && planeKeyPrefix(uid))
    const found = find('namespaces', { namespace: '', name: namespace })
    return found && (found.metadata.annotations ?? {})
  }
}

/** Another instance was faster, or somebody deleted it: what is there now decides. */
function ignoreFaster(error: unknown): void {
  const reasons = ['AlreadyExists', 'NotFound']
  if (!(error instanceof StatusError && reasons.includes(error.reason))) throw error
}
