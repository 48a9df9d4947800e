import type { Field, Type, Writer } from 'protobufjs'
import type { Steps } from '../../apiserver/meta/waiting/steps.ts'
import type { Message } from './message.ts'

/** Levels of a document with large lists: `components`, `schemas`. */
const largeLevels = 2

/** Wire type of a nested message. Source: Protocol Buffers, "Encoding". */
const lengthDelimited = 2

/**
 * Bytes of `type.encode(message)`, one step for each item of the large lists. A list may be any
 * iterable, so that its items are created one by one.
 */
export function* encodeInSteps(
  type: Type,
  message: Message,
  newWriter: () => Writer,
  levels = largeLevels,
): Steps<Uint8Array[]> {
  const pieces: Uint8Array[] = []
  for (const field of [...type.fieldsArray].sort((a, b) => a.id - b.id)) {
    const value = message[field.name]
    if (value === undefined) continue
    if (field.repeated) {
      // Sound: the messages of this folder have iterables for repeated fields.
      for (const item of value as Iterable<unknown>) {
        pieces.push(type.encode({ [field.name]: [item] }).finish())
        yield
      }
      continue
    }
    const inner = levels > 0 ? messageType(field) : undefined
    if (inner === undefined) {
      pieces.push(type.encode({ [field.name]: value }).finish())
      continue
    }
    const bytes = yield* encodeInSteps(inner, value as Message, newWriter, levels - 1)
    const length = bytes.reduce((sum, piece) => sum + piece.length, 0)
    const tag = (field.id << 3) | lengthDelimited
    pieces.push(newWriter().uint32(tag).uint32(length).finish(), ...bytes)
  }
  return pieces
}

function messageType(field: Field): Type | undefined {
  const { resolvedType } = field.resolve()
  return resolvedType !== null && 'fieldsArray' in resolvedType ? resolvedType : undefined
}
