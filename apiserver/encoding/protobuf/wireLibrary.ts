import type { Reader, Writer } from 'protobufjs'
import { badRequest, internalError } from '../../meta/statusErrors.ts'
import type { ReadContext } from './valueType.ts'

/** How many objects a body may become. Empty messages take two bytes each, and some become a dozen objects; items of
 *  lists and maps count as well. */
const maxObjects = 100_000
/** A writer whose buffer grew beyond it is not kept. */
const keptBytes = 1024 * 1024

/** What reads and writes the wire: the parts of the library that know tags, varints and lengths. */
export class WireLibrary {
  readonly #reader: (bytes: Buffer) => Reader
  readonly #newWriter: () => Writer
  /** Its buffer has grown to what bodies need. Out while in use. */
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

  /** @throws StatusError 400 for whatever is wrong with the bytes. */
  read<T>(bytes: Buffer, parse: (context: ReadContext) => T): T {
    try {
      return parse({ reader: this.#reader(bytes), depth: 0, objects: maxObjects })
    } catch (error) {
      // What the reader throws where the bytes end.
      const isCut = error instanceof RangeError
      throw badRequest(isCut ? 'unexpected EOF' : messageOf(error), error)
    }
  }

  /** A buffer of just the size.
   *  @throws StatusError 500 for a value that does not fit its kind. */
  write(fill: (writer: Writer) => void): Buffer {
    const writer = this.#writer ?? this.#newWriter()
    this.#writer = undefined
    try {
      fill(writer)
    } catch (error) {
      throw internalError(`cannot be written as protobuf: ${messageOf(error)}`, error)
    }
    // The writer of a runtime with buffers gives buffers.
    const bytes = writer.finish() as Buffer
    if (bytes.length <= keptBytes) this.#writer = writer.reset()
    return bytes
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'invalid message'
}
