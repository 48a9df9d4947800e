import { runPaced, type Steps } from '../../apiserver/meta/waiting/steps.ts'
import type { ResourceDefinition } from '../../apiserver/registry/resource.ts'
import type { ResourceSet } from '../../apiserver/registry/resourceSet.ts'
import type { Definitions } from '../definitions.ts'
import { DocumentInput } from './documentInput.ts'
import type { DocumentInfo } from './documentInfo.ts'
import { openapiV2Document } from './documentV2.ts'
import { openapiV3Document } from './documentV3.ts'
import { openapiV3Index } from './indexV3.ts'
import { encodeDocument, encodeDocumentV3 } from '../protobuf/encodeDocument.ts'
import { groupVersionPath } from '../resourceRoutes.ts'
import { jsonDocument, type HashedDocument, type ServedDocument } from './servedDocument.ts'

/** Media type of the protobuf form in responses. Requests also write it with `@` for the first dot after `v2`. */
const protobufType = (version: 'v2' | 'v3') =>
  `application/com.github.proto-openapi.spec.${version}.v1.0+protobuf`

/** Document of OpenAPI v3 with its kinds; other kinds do not change it. */
interface KeptV3 {
  kinds: readonly ResourceDefinition[]
  json: Promise<HashedDocument>
  protobuf?: Promise<HashedDocument> | undefined
}

/** Documents of one generation of the set. Promises, so that concurrent requests share the work. */
interface Kept {
  generation: number
  input: DocumentInput
  index?: Promise<ServedDocument> | undefined
  v2?: Promise<HashedDocument> | undefined
  v2Protobuf?: Promise<ServedDocument> | undefined
}

/**
 * OpenAPI documents of one resource set, each created when it is first requested and kept until its kinds change.
 * Creating these large documents yields to other requests.
 */
export class OpenApiDocuments {
  readonly #set: ResourceSet
  readonly #info: DocumentInfo
  readonly #definitions: Definitions
  readonly #v3 = new Map<string, KeptV3>()
  #kept: Kept

  constructor(set: ResourceSet, info: DocumentInfo, definitions: Definitions) {
    this.#set = set
    this.#info = info
    this.#definitions = definitions
    this.#kept = this.#nothingKept()
  }

  /** Creates `/openapi/v3`, and every v3 document, since it contains their hashes. `text/plain`, as in Kubernetes. */
  v3Index(): Promise<ServedDocument> {
    const kept = this.#current()
    return (kept.index ??= untilFailed(this.#index(kept.input), () => (kept.index = undefined)))
  }

  /** `/openapi/v3/<key>`, the key as in the index (`apis/example.dev/v1`). Undefined: 404. */
  v3(key: string): Promise<HashedDocument> | undefined {
    return this.#keptV3(this.#current().input, key)?.json
  }

  /** The document as protobuf, with the hash of the JSON. Undefined: 404. Source: reference 6.5. */
  v3Protobuf(key: string): Promise<HashedDocument> | undefined {
    const { input } = this.#current()
    const kept = this.#keptV3(input, key)
    if (kept === undefined) return undefined
    return (kept.protobuf ??= untilFailed(
      encodedV3(input, key, kept.json),
      () => (kept.protobuf = undefined),
    ))
  }

  /** `/openapi/v2` as JSON. */
  v2(): Promise<HashedDocument> {
    const kept = this.#current()
    return (kept.v2 ??= untilFailed(runPaced(v2Steps(kept.input)), () => (kept.v2 = undefined)))
  }

  /** `/openapi/v2` as protobuf, with the etag of the JSON. Source: reference 6.4. */
  v2Protobuf(): Promise<ServedDocument> {
    const kept = this.#current()
    return (kept.v2Protobuf ??= untilFailed(
      encodedV2(kept.input, this.v2()),
      () => (kept.v2Protobuf = undefined),
    ))
  }

  async #index(input: DocumentInput): Promise<ServedDocument> {
    const hashes = new Map<string, string>()
    for (const key of input.routes.keys()) {
      hashes.set(key, (await this.#keptV3(input, key)?.json)?.hash ?? '')
    }
    return runPaced(jsonDocument(openapiV3Index(hashes), 'text/plain; charset=utf-8'))
  }

  #keptV3(input: DocumentInput, key: string): KeptV3 | undefined {
    if (!input.routes.has(key)) {
      this.#v3.delete(key)
      return undefined
    }
    const kinds = kindsOf(input, key)
    const known = this.#v3.get(key)
    if (known !== undefined && areSame(known.kinds, kinds)) return known
    const json = untilFailed(runPaced(v3Steps(input, key)), () => this.#v3.delete(key))
    const made: KeptV3 = { kinds, json }
    this.#v3.set(key, made)
    return made
  }

  #current(): Kept {
    if (this.#kept.generation !== this.#set.generation) this.#kept = this.#nothingKept()
    return this.#kept
  }

  #nothingKept(): Kept {
    const input = new DocumentInput(this.#set, this.#info, this.#definitions)
    return { generation: this.#set.generation, input }
  }
}

function* v2Steps(input: DocumentInput): Steps<HashedDocument> {
  return yield* jsonDocument(yield* openapiV2Document(input))
}

function* v3Steps(input: DocumentInput, key: string): Steps<HashedDocument> {
  return yield* jsonDocument(yield* openapiV3Document(input, key))
}

async function encodedV2(
  input: DocumentInput,
  json: Promise<HashedDocument>,
): Promise<ServedDocument> {
  const { etag } = await json
  const body = await encodeDocument(await runPaced(openapiV2Document(input)))
  return { body, contentType: protobufType('v2'), etag }
}

async function encodedV3(
  input: DocumentInput,
  key: string,
  json: Promise<HashedDocument>,
): Promise<HashedDocument> {
  const { etag, hash } = await json
  const body = await encodeDocumentV3(await runPaced(openapiV3Document(input, key)))
  return { body, contentType: protobufType('v3'), etag, hash }
}

function kindsOf({ set }: DocumentInput, key: string): readonly ResourceDefinition[] {
  return set
    .groupVersions()
    .filter((one) => groupVersionPath(one) === `/${key}`)
    .flatMap((one) => set.inGroupVersion(one))
}

function areSame<T>(some: readonly T[], others: readonly T[]): boolean {
  return some.length === others.length && some.every((one, at) => one === others[at])
}

/** Forgets the work if it fails, so that it is repeated. */
function untilFailed<T>(work: Promise<T>, forget: () => void): Promise<T> {
  work.catch(forget)
  return work
}
