import type { GroupVersion } from '../meta/types.ts'
import type { ResourceSet } from '../registry/resourceSet.ts'
import {
  aggregatedDiscovery,
  type AggregatedVersion,
  type DiscoveryRoot,
} from './aggregatedDiscovery.ts'
import { apiGroup, apiGroupList, apiVersions } from './apiGroups.ts'
import { apiResourceList } from './apiResourceList.ts'
import { jsonDocument, type ServedDocument } from './servedDocument.ts'

/**
 * Discovery documents of one resource set. Each is created when it is first requested, and kept
 * until the set changes. Undefined means 404.
 */
export class DiscoveryDocuments {
  readonly #set: ResourceSet
  readonly #kept = new Map<string, ServedDocument>()
  #generation: number

  constructor(set: ResourceSet) {
    this.#set = set
    this.#generation = set.generation
  }

  /** Document of `/api`. Not kept, since `serverAddress` may come from the client's Host header. */
  api(serverAddress: string): ServedDocument | undefined {
    const document = apiVersions(this.#set, serverAddress)
    return document && jsonDocument(document)
  }

  /** Document of `/apis`. */
  apis(): ServedDocument | undefined {
    return this.#keep('apis', () => apiGroupList(this.#set))
  }

  /** Document of `/apis/<name>`. */
  group(name: string): ServedDocument | undefined {
    return this.#keep(`group ${name}`, () => apiGroup(this.#set, name))
  }

  /** Document of `/api/v1` or `/apis/<group>/<version>`. */
  groupVersion(groupVersion: GroupVersion): ServedDocument | undefined {
    const { group, version } = groupVersion
    return this.#keep(`list ${group}/${version}`, () => apiResourceList(this.#set, groupVersion))
  }

  /**
   * The aggregated document of `/api` and `/apis`, for clients that accept it. Its content type names the kind, which
   * distinguishes it from the legacy document.
   */
  aggregated(root: DiscoveryRoot, version: AggregatedVersion): ServedDocument | undefined {
    const contentType = aggregatedContentType(version)
    const make = () => aggregatedDiscovery(this.#set, root, version)
    return this.#keep(`aggregated ${root} ${version}`, make, contentType)
  }

  #keep(key: string, make: () => object | undefined, contentType?: string) {
    if (this.#generation !== this.#set.generation) {
      this.#kept.clear()
      this.#generation = this.#set.generation
    }
    const kept = this.#kept.get(key)
    if (kept !== undefined) return kept
    const value = make()
    // Missing documents are not kept: their names come from clients and are unlimited.
    if (value === undefined) return undefined
    const document = jsonDocument(value, contentType)
    this.#kept.set(key, document)
    return document
  }
}

/** The content type. client-go compares its parameters. Source: reference 6.2. */
function aggregatedContentType(version: AggregatedVersion): string {
  return `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`
}
