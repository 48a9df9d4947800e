import type { Writer } from 'protobufjs'
import { groupVersionString, type GroupVersionKind } from '../../meta/types.ts'
import type { EnvelopeType } from './envelope.ts'
import type { MessageType } from './messageType.ts'
import type { WireLibrary } from './wireLibrary.ts'

/** One kind between JSON and protobuf, all in memory and synchronous. */
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

  /** The object of a bare message, as Go's JSON encoder writes it: in its order, with what it has always there, `kind`
   *  and `apiVersion` first. Shares nothing with the bytes.
   *  @throws StatusError 400 for bytes that are no such message. */
  decodeMessage(message: Buffer): Record<string, unknown> {
    return this.#library.read(message, (context) => {
      const { apiVersion, kind } = this.#typeMeta
      const object = { kind, apiVersion }
      this.#message.emitInto(object, this.#message.readAll(context))
      return object
    })
  }

  /** An object as the body that clients read and write: with the magic and the kind. Members that the kind does not have
   *  are left out. The buffer has just its size.
   *  @throws StatusError 500 for a value of another type than its field. */
  encode(object: object): Buffer {
    return this.#write((writer) => this.#message.writeFields(writer, object))
  }

  /** An object as the bare message, as it stands among the items of a list. */
  encodeMessage(object: object): Buffer {
    return this.#library.write((writer) => this.#message.writeFields(writer, object))
  }

  /** A list, when this is the kind of one, of items that are bare messages already. */
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
