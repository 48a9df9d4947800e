import type { Writer } from 'protobufjs'
import type { MessageType } from './messageType.ts'
import { TypeTable } from './typeTable.ts'
import { DecodeProblem, type ReadContext } from './valueType.ts'

/** An undecoded body: the message of an object with its kind. */
export interface Envelope {
  /** Both empty if the writer omitted them. */
  apiVersion: string
  kind: string
  /** Shares the body's memory. */
  message: Buffer
}

/** `k8s` and a zero byte, as a little-endian number. */
const magic = 0x0073386b
const magicBytes = Buffer.from('k8s\0')

const descriptor = {
  TypeMeta: 'apiVersion:1:string! kind:2:string!',
  Unknown: 'typeMeta:1:TypeMeta raw:2:buffer contentEncoding:3:string contentType:4:string',
}

/**
 * The envelope of Kubernetes bodies. Source: runtime.Unknown and the protobuf serializer of apimachinery, which ignores
 * contentType and contentEncoding: `raw` is always protobuf.
 */
export class EnvelopeType {
  readonly #unknown: MessageType

  constructor() {
    this.#unknown = new TypeTable({ runtime: descriptor }).message('runtime', 'Unknown')
  }

  /** Reads an envelope. @throws DecodeProblem and errors of the reader for other data. */
  read(context: ReadContext): Envelope {
    const { reader } = context
    if (reader.len === 0) throw new DecodeProblem('empty data')
    if (!magicBytes.equals(reader.buf.subarray(0, 4))) {
      throw new DecodeProblem(
        'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]',
      )
    }
    if (reader.len === 4) throw new DecodeProblem('empty body')
    reader.pos = 4
    const { typeMeta, raw } = this.#unknown.toJson(this.#unknown.readAll(context))
    // Sound: the descriptor above has these fields, of these types.
    const { apiVersion, kind } = typeMeta as Pick<Envelope, 'apiVersion' | 'kind'>
    return { apiVersion, kind, message: (raw ?? Buffer.alloc(0)) as Buffer }
  }

  write(writer: Writer, typeMeta: Omit<Envelope, 'message'>, fill: () => void): void {
    writer.fixed32(magic)
    this.#unknown.writeFields(
      writer,
      { typeMeta },
      {
        name: 'raw',
        write(fieldNumber) {
          writer.uint32((fieldNumber << 3) | 2).fork()
          fill()
          writer.ldelim()
        },
      },
    )
  }
}
