import { builtInResources } from '../../apiserver/apis/kubernetes/builtInResources.ts'
import { BuiltInTypes } from '../../apiserver/apis/kubernetes/builtInTypes.ts'
import { PlaneAccess, type AccessiblePlane } from '../../apiserver/apis/planeAccess.ts'
import type { ApiObject } from '../../apiserver/meta/types.ts'
import { groupVersionString } from '../../apiserver/meta/types.ts'
import type { AnswerRequest, Answers } from '../../apiserver/registry/answers.ts'
import type { ResourceDefinition } from '../../apiserver/registry/resource.ts'
import { ResourceSet } from '../../apiserver/registry/resourceSet.ts'
import type { Store } from '../../apiserver/registry/store.ts'
import { tableRow } from '../../apiserver/registry/table.ts'
import { clientContext } from './contexts.ts'
import { canonical, create, openStores, type Stores } from './stores.ts'

/** Built-in kinds with stores in memory. */
export class BuiltInKinds {
  readonly stores: Stores
  readonly types: BuiltInTypes
  readonly resources: readonly ResourceDefinition[]

  private constructor(stores: Stores, plane: Pick<AccessiblePlane, 'serviceRanges'>) {
    this.stores = stores
    this.types = new BuiltInTypes()
    const access = new PlaneAccess()
    this.resources = builtInResources({ types: this.types, access })
    access.bind({
      resources: new ResourceSet(this.resources),
      storeOf: (resource) => stores.storeOf(resource),
      authorize: () => ({ allowed: true, reason: '' }),
      ...plane,
    })
  }

  static async open(plane: Pick<AccessiblePlane, 'serviceRanges'> = {}): Promise<BuiltInKinds> {
    return new BuiltInKinds(await openStores(), plane)
  }

  resource(kind: string): ResourceDefinition {
    const found = this.resources.find((resource) => resource.kind === kind)
    if (found === undefined) throw new Error(`there is no kind ${kind}`)
    return found
  }

  store(kind: string): Store {
    return this.stores.storeOf(this.resource(kind))
  }

  /** Object of a kind with the name `a`, in the form of a decoded body. */
  object(kind: string, rest: Readonly<Record<string, unknown>>): ApiObject {
    return this.#decoded(this.resource(kind), rest)
  }

  #decoded(resource: ResourceDefinition, rest: Readonly<Record<string, unknown>>): ApiObject {
    const { metadata, ...content } = rest
    const object = {
      kind: resource.kind,
      apiVersion: groupVersionString(resource),
      metadata: {
        name: 'a',
        ...(resource.namespaced ? { namespace: 'default' } : {}),
        ...(metadata as object | undefined),
      },
      ...content,
    }
    const decoded = canonical(object, resource)
    resource.strategy.setDefaults?.(decoded)
    return decoded
  }

  create(kind: string, rest: Readonly<Record<string, unknown>>): Promise<ApiObject> {
    return create(this.store(kind), this.object(kind, rest))
  }

  /** The same for a kind that is served in two versions. */
  createAs(
    resource: ResourceDefinition,
    rest: Readonly<Record<string, unknown>>,
  ): Promise<ApiObject> {
    return create(this.stores.storeOf(resource), this.#decoded(resource, rest))
  }

  /** Cells of an object, with those of `-o wide` after a bar. */
  cells(object: ApiObject): unknown[] {
    const resource = this.resource(object.kind)
    const { cells } = tableRow(object, resource, {
      include: 'None',
      nowMs: this.stores.clock.now(),
    })
    const isWide = (at: number) => (resource.columns?.[at]?.priority ?? 0) > 0
    const narrow = cells.filter((_, at) => !isWide(at))
    const wide = cells.filter((_, at) => isWide(at))
    return wide.length === 0 ? narrow : [...narrow, '|', ...wide]
  }

  /** Handlers of a subresource without a store. */
  answers(kind: string, subresource: string): Answers {
    const found = this.resource(kind).subresources?.find(({ name }) => name === subresource)
    if (found === undefined || !('resource' in found) || found.resource.answers === undefined) {
      throw new Error(`${kind} has no answers for ${subresource}`)
    }
    return found.resource.answers
  }

  request(kind: string): AnswerRequest {
    const namespace = this.resource(kind).namespaced ? 'default' : ''
    return { ...clientContext(), namespace, name: 'a', query: new URLSearchParams() }
  }

  close(): Promise<void> {
    return this.stores.close()
  }
}

/** Spec of a pod with one container, and a template of it. */
export const onePod = { containers: [{ name: 'c', image: 'i:1' }] }
export const oneTemplate = { metadata: { labels: { app: 'a' } }, spec: onePod }
export const selector = { matchLabels: { app: 'a' } }
