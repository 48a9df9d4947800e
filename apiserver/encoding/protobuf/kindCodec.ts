import type { Writer } from 'protobufjs'
import { groupVersionString, type GroupVersionKind } from '../../meta/types.ts'
import type { EnvelopeType } from './envelope.ts'
import type { MessageType } from './messageType.ts'
import type { WireLibrary } from './wireLibrary.ts'

/** Converts one kind between JSON and protobuf, in memory and synchronously. */
export class KindCodec {
  readonly gvk: Readonly<GroupVersionKind>
  readonly #typeMeta: { apiVersion: string; kind: string }
  readonly #message: MessageType
  readonly #envelope: EnvelopeType
  readonly #library: WireLibrary

  constructor(
    gvk: GroupVersionKind,
    parts: { message: MessageType; envelope: EnvelopeType; library: WireLibrary },
  ) {
    this.gvk = gvk
    this.#typeMeta = { apiVersion: groupVersionString(gvk), kind: gvk.kind }
    this.#message = parts.message
    this.#envelope = parts.envelope
    this.#library = parts.library
  }

  /**
   * Decodes a bare message to an object as written by Go's JSON encoder: in its order, with its mandatory members,
   * `kind` and `apiVersion` first. Shares nothing with the bytes.
   * @throws StatusError 400 for other data.
   */
  decodeMessage(message: Buffer): Record<string, unknown> {
    return this.#library.read(message, (context) => {
      const { apiVersion, kind } = this.#typeMeta
      const object = { kind, apiVersion }
      this.#message.emitInto(object, this.#message.readAll(context))
      return object
    })
  }

  /**
   * Encodes an object as a body, with the magic and the kind. Unknown members are omitted. The buffer has exactly its
   * size.
   * @throws StatusError 500 for a value of another type than its field.
   */
  encode(object: object): Buffer {
    return this.#write((writer) => this.#message.writeFields(writer, object))
  }

  /** Encodes an object as a bare message, the form of list items. */
  encodeMessage(object: object): Buffer {
    return this.#library.write((writer) => this.#message.writeFields(writer, object))
  }

  /** Encodes a list, if this is a list kind, from items that are bare messages already. */
  encodeList(list: { metadata: object }, items: Iterable<Buffer>): Buffer {
    return this.#write((writer) =>
      this.#message.writeFields(writer, list, {
        name: 'items',
        write(fieldNumber) {
          for (const item of items) writer.uint32((fieldNumber << 3) | 2).bytes(item)
        },
      }),
    )
  }

  #write(fill: (writer: Writer) => void): Buffer {
    return this.#library.write((writer) =>
      this.#envelope.write(writer, this.#typeMeta, () => fill(writer)),
    )
  }
}
