import { DiscoveryDocuments } from '../discovery/discoveryDocuments.ts'
import { isPlainGroup } from '../discovery/servedGroups.ts'
import { rootPathsDocument } from '../discovery/rootPaths.ts'
import { versionDocument, type BuildInfo } from '../discovery/versionDocument.ts'
import type { Definitions } from '../../openapi/definitions.ts'
import type { DocumentSource } from '../endpoints/documents/documents.ts'
import { OpenApiDocuments } from '../../openapi/documents/openApiDocuments.ts'
import type { ResourceDefinition } from '../registry/resource.ts'
import { ResourceSet } from '../registry/resourceSet.ts'

export interface DocumentWords {
  /** Title of the OpenAPI documents. */
  title: string
  build: BuildInfo
  /** Definitions of the built-in groups, as OpenAPI publishes them. */
  definitions: Definitions
  /** Additional paths outside the API that are served and listed in the index. */
  serverPaths: readonly string[]
}

/**
 * The kinds of a control plane, and the documents that describe them. Planes with the same kinds
 * share an instance, so that each document is generated only once.
 */
export class PlaneKinds {
  readonly set: ResourceSet
  readonly documents: DocumentSource
  readonly #words: DocumentWords

  constructor(resources: readonly ResourceDefinition[], words: DocumentWords) {
    this.set = new ResourceSet(resources)
    this.#words = words
    this.documents = documentSource(this.set, words)
  }

  /** A copy for a plane that will change its kinds. */
  fork(): PlaneKinds {
    return new PlaneKinds(this.set.all(), this.#words)
  }
}

function documentSource(set: ResourceSet, words: DocumentWords): DocumentSource {
  const { title, build, serverPaths, definitions } = words
  const discovery = new DiscoveryDocuments(set)
  const openapi = new OpenApiDocuments(set, { title, version: build.serverVersion }, definitions)
  const version = versionDocument(build)
  return {
    api: (address) => discovery.api(address),
    apis: () => discovery.apis(),
    group: (name) => discovery.group(name),
    groupVersion: (groupVersion) => discovery.groupVersion(groupVersion),
    isClientDefined: (groupVersion) => set.isClientDefined(groupVersion),
    isPlainGroup: (name) => isPlainGroup(set, name),
    aggregated: (root, wanted) => discovery.aggregated(root, wanted),
    openapiV2: () => openapi.v2(),
    openapiV2Protobuf: () => openapi.v2Protobuf(),
    openapiV3Index: () => openapi.v3Index(),
    openapiV3: (key) => openapi.v3(key),
    openapiV3Protobuf: (key) => openapi.v3Protobuf(key),
    index: () => rootPathsDocument(set, serverPaths),
    version: () => version,
  }
}
