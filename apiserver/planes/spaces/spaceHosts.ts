import { namespaceResource } from '../../apis/kubernetes/core/namespace/namespace.ts'
import { objectIfAny } from '../../apis/storeReads.ts'
import { safeConcat } from '../../meta/names/hostName.ts'
import { isReservedNamespace, spaceMark } from '../../meta/names/namespaceMarks.ts'
import type { NamesProfile } from '../../meta/names/namesProfile.ts'
import { forbidden, notFound, serviceUnavailable } from '../../meta/statusErrors.ts'
import { groupVersionString, type ApiObject, type GroupResource } from '../../meta/types.ts'
import { ignoreAlreadyExists } from '../../registry/ignoring.ts'
import { groupResource } from '../../registry/resource.ts'
import type { Store } from '../../registry/store.ts'
import { systemContext } from '../../registry/systemContext.ts'
import type { PlaneEntry } from '../planeEntry.ts'
import type { PlaneObject } from '../planeObject.ts'
import { hostOf } from '../syncedInstance.ts'

export interface SpaceHostsOptions {
  names: NamesProfile
  projects: Store
  /** The entry point of a cluster's plane. */
  clusterEntry: (cluster: string) => PlaneEntry
  /** Reports whether a space with this uid exists. */
  isSpace: (uid: string) => boolean
}

/** The placement of a space. */
export interface SpaceHost {
  instance: ApiObject
  uid: string
  project: string
  planeEntry: PlaneEntry
  namespace: string
  /** The space as named in errors. */
  space: GroupResource & { name: string }
}

/**
 * Finds the namespace of a space, and creates it if it is missing. A namespace is marked with its space: an existing
 * one without the mark, or one of another space, is never used, since any user who may create spaces chooses names.
 * Source: platform facts 1.0 (labels of namespaces), 3.3, 5.
 */
export class SpaceHosts {
  readonly #options: SpaceHostsOptions
  /** The label of a namespace with the uid of its space. */
  readonly #marker: string

  constructor(options: SpaceHostsOptions) {
    this.#options = options
    this.#marker = spaceMark(options.names)
  }

  /**
   * The placement of a space. @throws StatusError NotFound, Forbidden if its project may not use the cluster,
   * ServiceUnavailable if its cluster does not exist.
   */
  find({ store, name, target }: PlaneObject): SpaceHost {
    const { clusterEntry, names } = this.#options
    const instance = objectIfAny(store, name)
    const project = target.plane === 'space' ? target.project : ''
    if (instance === undefined) throw notFound(groupResource(store.resource), name.name)
    const { cluster } = hostOf(instance)
    if (cluster === '') {
      throw serviceUnavailable(`space "${name.name}" is in no cluster: spec.clusterRef names none`)
    }
    if (!this.#mayUse(project, cluster)) {
      const why = `project "${project}" may not use cluster "${cluster}"`
      throw forbidden(groupResource(store.resource), name.name, why)
    }
    const planeEntry = clusterEntry(cluster)
    if (planeEntry.uid === undefined) {
      const what = `space "${name.name}" is in cluster "${cluster}"`
      throw serviceUnavailable(`${what}, which does not exist`)
    }
    const namespace = this.#namespaceOf(instance, project)
    const space = { ...groupResource(store.resource), name: name.name }
    if (isReservedNamespace(namespace, names) && hostOf(instance).namespace !== '') {
      throw forbidden(space, space.name, `namespace "${namespace}" has a name that is reserved`)
    }
    return { instance, uid: instance.metadata.uid ?? '', project, planeEntry, namespace, space }
  }

  /**
   * Creates the namespace if it is missing. @throws StatusError Forbidden if it belongs to another owner;
   * ServiceUnavailable while one of a deleted space is being removed.
   */
  async ensureNamespace(spaceHost: SpaceHost): Promise<void> {
    const { planeEntry, namespace, uid, project, space } = spaceHost
    const store = (await planeEntry.opened()).plane.storeOf(namespaceResource)
    const name = { namespace: '', name: namespace }
    const there = objectIfAny(store, name)
    if (there === undefined) {
      await store
        .create(this.#namespace({ namespace, uid, project }), systemContext())
        // A concurrent request may have created it.
        .catch(ignoreAlreadyExists)
    }
    const owner = objectIfAny(store, name)?.metadata.annotations?.[this.#marker]
    if (owner === uid) return
    if (owner !== undefined && !this.#options.isSpace(owner)) {
      await this.#removeNamespace(store, namespace, owner)
      throw serviceUnavailable(`namespace "${namespace}" of a deleted space is being removed`, 1)
    }
    const why = `namespace "${namespace}" of its cluster is not the space's own`
    throw forbidden(space, space.name, why)
  }

  /** Starts removing the namespace of a deleted space and its content. */
  async remove(space: ApiObject, project: string): Promise<void> {
    const { cluster } = hostOf(space)
    const planeEntry = this.#options.clusterEntry(cluster)
    if (cluster === '' || planeEntry.uid === undefined) return
    const { plane } = await planeEntry.opened()
    const { uid = '' } = space.metadata
    const namespace = this.#namespaceOf(space, project)
    await this.#removeNamespace(plane.storeOf(namespaceResource), namespace, uid)
  }

  async #removeNamespace(store: Store, namespace: string, uid: string): Promise<void> {
    const name = { namespace: '', name: namespace }
    const there = objectIfAny(store, name)
    if (there?.metadata.annotations?.[this.#marker] !== uid) return
    if (there.metadata.deletionTimestamp === undefined)
      await store.delete(name, {}, systemContext())
  }

  #namespace(of: { namespace: string; uid: string; project: string }): ApiObject {
    const { domain } = this.#options.names
    return {
      kind: namespaceResource.kind,
      apiVersion: groupVersionString(namespaceResource),
      metadata: {
        name: of.namespace,
        labels: { [`${domain}/project`]: of.project },
        annotations: { [this.#marker]: of.uid },
      },
    }
  }

  #namespaceOf(space: ApiObject, project: string): string {
    const { namespace } = hostOf(space)
    const { name = '' } = space.metadata
    return namespace === ''
      ? safeConcat(this.#options.names.platform, project, 's', name)
      : namespace
  }

  #mayUse(project: string, cluster: string): boolean {
    const object = objectIfAny(this.#options.projects, { namespace: '', name: project })
    // Sound by the schema of projects.
    const spec = object?.['spec'] as { allowedClusters?: { name?: string }[] } | undefined
    return (spec?.allowedClusters ?? []).some(({ name }) => name === '*' || name === cluster)
  }
}
