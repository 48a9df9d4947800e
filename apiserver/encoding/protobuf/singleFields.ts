import { checkWireType, tagOf, type Field } from './field.ts'
import type { FieldDescriptor } from './descriptor.ts'
import type { ValueType } from './valueType.ts'

/** A type with JSON members that can be inlined in another object. */
export interface InlineType extends ValueType {
  /** `read`: as for toJson. */
  emitInto(target: Record<string, unknown>, read: unknown): void
}

/** A field with one value, or with a pointer to one. `place`: position of its slot. */
export function valueField(descriptor: FieldDescriptor, type: ValueType, place: number): Field {
  const { name, number } = descriptor
  const tag = tagOf(number, type)
  const skipsNull = descriptor.shape === 'pointer' || type.emptyJson !== undefined
  return {
    name,
    number,
    read(context, slots, wireType) {
      checkWireType(wireType, type.wireType, name)
      slots[place] = type.read(context, slots[place])
    },
    emit: emitter(descriptor, type, place),
    write(writer, source) {
      const value = source[name]
      if (skipsNull && (value === null || value === undefined)) return
      type.write(writer.uint32(tag), value)
    },
  }
}

function emitter(
  { name, shape, omit }: FieldDescriptor,
  type: ValueType,
  place: number,
): Field['emit'] {
  if (shape === 'pointer') {
    return (target, slots) => {
      const read = slots[place]
      if (read !== undefined) target[name] = type.toJson(read)
      else if (omit === 'never') target[name] = null
    }
  }
  const { zero } = type
  if (zero !== undefined) {
    return (target, slots) => {
      const json = slots[place] ?? zero
      if (json !== zero || omit === 'never') target[name] = json
    }
  }
  const isOmitted = {
    never: () => false,
    zero: (json: unknown) => json === null,
    empty: (json: unknown) => type.isEmpty(json),
  }[omit]
  return (target, slots) => {
    const json = type.toJson(slots[place])
    if (!isOmitted(json)) target[name] = json
  }
}

/** A field with a message that is inlined in JSON. */
export function inlineField({ number }: FieldDescriptor, type: InlineType, place: number): Field {
  const tag = tagOf(number, type)
  return {
    name: '',
    number,
    read(context, slots, wireType) {
      checkWireType(wireType, type.wireType, '(inlined)')
      slots[place] = type.read(context, slots[place])
    },
    emit: (target, slots) => type.emitInto(target, slots[place]),
    write: (writer, source) => type.write(writer.uint32(tag), source),
  }
}
