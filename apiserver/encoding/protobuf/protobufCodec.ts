import { goQuote } from '../../meta/goQuote.ts'
import { badRequest } from '../../meta/statusErrors.ts'
import { groupVersionString, type GroupVersionKind } from '../../meta/types.ts'
import { CodecLibrary } from './codecLibrary.ts'
import type { Envelope } from './envelope.ts'
import type { KindCodec } from './kindCodec.ts'
import { packageOf } from './kindIndex.ts'

export interface DecodedProtobuf {
  apiVersion: string
  kind: string
  /** The object as decoded from JSON, including `kind` and `apiVersion`. */
  value: Record<string, unknown>
}

/**
 * The protobuf form of built-in kinds. The library is loaded with the messages when it is first needed.
 * Source: reference 1.12; the protobuf serializer of apimachinery.
 */
export class ProtobufCodec {
  readonly #codecs = new Map<string, KindCodec>()
  #library: Promise<CodecLibrary> | undefined

  /**
   * Loads the codec of a kind.
   * @throws StatusError 400 for a kind without a protobuf form: check `hasProtobuf` first.
   */
  async load(gvk: GroupVersionKind): Promise<KindCodec> {
    const known = this.loaded(gvk)
    if (known !== undefined) return known
    const name = packageOf(gvk)
    if (name === undefined) throw notRegistered(gvk)
    const codec = (await this.#loadLibrary()).codecOf(name, gvk)
    // Options have a codec in any group that a body names.
    if (this.#codecs.size < maxCodecs) this.#codecs.set(keyOf(gvk), codec)
    return codec
  }

  /** A codec that is already loaded, without a promise. */
  loaded(gvk: GroupVersionKind): KindCodec | undefined {
    return this.#codecs.get(keyOf(gvk))
  }

  /**
   * Reads the kind of a body and its message, still undecoded. A missing kind or version is taken from `defaults`.
   * @throws StatusError 400 for other data, or without a kind.
   */
  async open(bytes: Buffer, defaults?: GroupVersionKind): Promise<Envelope> {
    const opened = (await this.#loadLibrary()).open(bytes)
    const kind = opened.kind === '' ? (defaults?.kind ?? '') : opened.kind
    const isDefault = opened.apiVersion === '' && defaults !== undefined
    const apiVersion = isDefault ? groupVersionString(defaults) : opened.apiVersion
    if (kind === '') throw missing('Kind', opened)
    if (apiVersion === '') throw missing('apiVersion', opened)
    return { apiVersion, kind, message: opened.message }
  }

  /**
   * Decodes a body. Callers for a single kind call `open` first, which is cheap for bodies of other kinds.
   * @throws StatusError 400 for other data, or a kind without a protobuf form.
   */
  async decode(bytes: Buffer, defaults?: GroupVersionKind): Promise<DecodedProtobuf> {
    const { apiVersion, kind, message } = await this.open(bytes, defaults)
    const codec = await this.load({ ...parseGroupVersion(apiVersion), kind })
    return { apiVersion, kind, value: codec.decodeMessage(message) }
  }

  /** Encodes an object, list, Status or options as a body. See KindCodec for synchronous methods. */
  async encode(object: object, gvk: GroupVersionKind): Promise<Buffer> {
    return (await this.load(gvk)).encode(object)
  }

  #loadLibrary(): Promise<CodecLibrary> {
    return (this.#library ??= CodecLibrary.load())
  }
}

const maxCodecs = 1000

function keyOf(gvk: GroupVersionKind): string {
  return `${gvk.group}/${gvk.version}/${gvk.kind}`
}

function parseGroupVersion(apiVersion: string): { group: string; version: string } {
  const [first = '', second] = apiVersion.split('/', 2)
  return second === undefined ? { group: '', version: first } : { group: first, version: second }
}

function notRegistered(gvk: GroupVersionKind): Error {
  const version = goQuote(groupVersionString(gvk))
  return badRequest(`no kind ${goQuote(gvk.kind)} is registered for version ${version} in scheme`)
}

function missing(what: string, { apiVersion, kind }: Envelope): Error {
  const typeMeta = `runtime.TypeMeta{APIVersion:${goQuote(apiVersion)}, Kind:${goQuote(kind)}}`
  return badRequest(`Object '${what}' is missing in '${typeMeta}'`)
}
