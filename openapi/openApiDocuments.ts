import type { ResourceSet } from '../apiserver/registry/resourceSet.ts'
import type { Definitions } from './definitions.ts'
import type { DocumentInfo } from './documentInfo.ts'
import { openapiV2Document } from './documentV2.ts'
import { openapiV3Document } from './documentV3.ts'
import { openapiV3Index } from './indexV3.ts'
import { encodeDocument, encodeDocumentV3 } from './protobuf/encodeDocument.ts'
import { jsonDocument, type HashedDocument, type ServedDocument } from './servedDocument.ts'

/** The media type of the protobuf form in answers. Requests also write it with `@` for the first dot after `v2`. */
const protobufType = (version: 'v2' | 'v3') =>
  `application/com.github.proto-openapi.spec.${version}.v1.0+protobuf`

/** Documents of one generation of the set. */
interface Kept {
  generation: number
  v3: Map<string, HashedDocument>
  v3Protobuf: Map<string, Promise<HashedDocument>>
  index?: ServedDocument
  v2?: HashedDocument
  /** A promise, so that concurrent requests share one encoding. */
  v2Protobuf?: Promise<ServedDocument>
}

/**
 * The OpenAPI documents of one resource set, each created when it is first requested and kept until the set changes.
 */
export class OpenApiDocuments {
  readonly #set: ResourceSet
  readonly #info: DocumentInfo
  readonly #definitions: Definitions
  #kept: Kept

  constructor(set: ResourceSet, info: DocumentInfo, definitions: Definitions) {
    this.#set = set
    this.#info = info
    this.#definitions = definitions
    this.#kept = nothingKept(set.generation)
  }

  /**
   * `/openapi/v3`. Creates every v3 document, since it contains their hashes. `text/plain`, as Kubernetes serves it.
   */
  v3Index(): ServedDocument {
    const kept = this.#current()
    kept.index ??= jsonDocument(
      openapiV3Index(this.#set, (key) => this.v3(key)?.hash ?? ''),
      'text/plain; charset=utf-8',
    )
    return kept.index
  }

  /** `/openapi/v3/<key>`, the key as in the index (`apis/example.dev/v1`). Undefined: 404. */
  v3(key: string): HashedDocument | undefined {
    const { v3 } = this.#current()
    const kept = v3.get(key)
    if (kept !== undefined) return kept
    const document = openapiV3Document(this.#set, key, this.#info, this.#definitions)
    if (document === undefined) return undefined
    const made = jsonDocument(document)
    v3.set(key, made)
    return made
  }

  /** The document as protobuf, with the hash of the JSON. Undefined: 404. Source: reference 6.5. */
  v3Protobuf(key: string): Promise<HashedDocument> | undefined {
    const { v3Protobuf } = this.#current()
    const kept = v3Protobuf.get(key)
    if (kept !== undefined) return kept
    const json = this.v3(key)
    const document = openapiV3Document(this.#set, key, this.#info, this.#definitions)
    if (json === undefined || document === undefined) return undefined
    const contentType = protobufType('v3')
    const made = encodeDocumentV3(document).then((body) => ({ ...json, body, contentType }))
    v3Protobuf.set(key, made)
    return made
  }

  /** `/openapi/v2` as JSON. */
  v2(): ServedDocument {
    const kept = this.#current()
    kept.v2 ??= jsonDocument(openapiV2Document(this.#set, this.#info, this.#definitions))
    return kept.v2
  }

  /** `/openapi/v2` as protobuf, with the etag of the JSON. Source: reference 6.4. */
  v2Protobuf(): Promise<ServedDocument> {
    const kept = this.#current()
    kept.v2Protobuf ??= this.#encode()
    return kept.v2Protobuf
  }

  async #encode(): Promise<ServedDocument> {
    const { etag } = this.v2()
    const body = await encodeDocument(openapiV2Document(this.#set, this.#info, this.#definitions))
    return { body, contentType: protobufType('v2'), etag }
  }

  #current(): Kept {
    const { generation } = this.#set
    if (this.#kept.generation !== generation) this.#kept = nothingKept(generation)
    return this.#kept
  }
}

function nothingKept(generation: number): Kept {
  return { generation, v3: new Map(), v3Protobuf: new Map() }
}
