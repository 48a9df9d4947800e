import type { Reader, Writer } from 'protobufjs'
import { messageOf } from '../../meta/messageOf.ts'
import { badRequest, internalError } from '../../meta/statusErrors.ts'
import type { ReadContext } from './valueType.ts'

/**
 * Maximum number of objects decoded from a body. Empty messages take two bytes each, and some become a dozen objects;
 * items of lists and maps count as well.
 */
const maxObjects = 100_000
/** Maximum size of a writer's buffer that is kept. */
const keptBytes = 1024 * 1024

/** Reads and writes the wire format: the parts of the library for tags, varints and lengths. */
export class WireLibrary {
  readonly #reader: (bytes: Buffer) => Reader
  readonly #newWriter: () => Writer
  /**
   * A cached writer with a buffer that has grown to the usual size of bodies. Undefined while in
   * use.
   */
  #writer: Writer | undefined

  private constructor(reader: (bytes: Buffer) => Reader, newWriter: () => Writer) {
    this.#reader = reader
    this.#newWriter = newWriter
  }

  static async load(): Promise<WireLibrary> {
    const { default: protobuf } = await import('protobufjs/minimal.js')
    return new WireLibrary(
      (bytes) => protobuf.Reader.create(bytes),
      () => protobuf.Writer.create(),
    )
  }

  /** Reads bytes. @throws StatusError 400 for any error in them. */
  read<T>(bytes: Buffer, parse: (context: ReadContext) => T): T {
    try {
      return parse({ reader: this.#reader(bytes), depth: 0, objects: maxObjects })
    } catch (error) {
      // The reader throws RangeError at the end of the bytes.
      const isCut = error instanceof RangeError
      throw badRequest(isCut ? 'unexpected EOF' : messageOf(error), error)
    }
  }

  /**
   * Writes to a buffer of exactly the size.
   * @throws StatusError 500 for a value that does not match its kind.
   */
  write(fill: (writer: Writer) => void): Buffer {
    const writer = this.#writer ?? this.#newWriter()
    this.#writer = undefined
    try {
      fill(writer)
    } catch (error) {
      throw internalError(`cannot be written as protobuf: ${messageOf(error)}`, error)
    }
    // Sound: in a runtime with buffers the writer returns buffers.
    const bytes = writer.finish() as Buffer
    if (bytes.length <= keptBytes) this.#writer = writer.reset()
    return bytes
  }
}
