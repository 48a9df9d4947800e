import type { GroupVersionKind } from '../../meta/types.ts'
import type { Envelope, EnvelopeType } from './envelope.ts'
import { KindCodec } from './kindCodec.ts'
import type { TypeTable } from './typeTable.ts'
import { WireLibrary } from './wireLibrary.ts'

/**
 * Library behind ProtobufCodec. The modules of messages and types are loaded with it, and only
 * throw their own errors: API errors are created here and in the modules that this one imports.
 */
export class CodecLibrary {
  readonly #wire: WireLibrary
  readonly #types: TypeTable
  readonly #envelope: EnvelopeType

  private constructor(wire: WireLibrary, types: TypeTable, envelope: EnvelopeType) {
    this.#wire = wire
    this.#types = types
    this.#envelope = envelope
  }

  static async load(): Promise<CodecLibrary> {
    const [wire, { TypeTable }, { EnvelopeType }, { default: messages }] = await Promise.all([
      WireLibrary.load(),
      import('./typeTable.ts'),
      import('./envelope.ts'),
      import('./messages.json', { with: { type: 'json' } }),
    ])
    return new CodecLibrary(wire, new TypeTable(messages), new EnvelopeType())
  }

  /** The codec of a kind in a package. */
  codecOf(packageName: string, gvk: GroupVersionKind): KindCodec {
    const message = this.#types.message(packageName, gvk.kind)
    return new KindCodec(gvk, { message, envelope: this.#envelope, library: this.#wire })
  }

  /** Opens a protobuf body. @throws StatusError 400 for other data. */
  open(bytes: Buffer): Envelope {
    return this.#wire.read(bytes, (context) => this.#envelope.read(context))
  }
}
