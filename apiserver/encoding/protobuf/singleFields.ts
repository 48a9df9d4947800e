import { checkWireType, tagOf, type Field, type Slots } from './field.ts'
import type { FieldDescriptor } from './descriptor.ts'
import type { ValueType } from './valueType.ts'

/** A type whose JSON members can stand among those of another object. */
export interface InlineType extends ValueType {
  emitInto(target: Record<string, unknown>, slots: Slots): void
}

/** A field of one value, or of a pointer to one. `place`: of its slot. */
export function valueField(descriptor: FieldDescriptor, type: ValueType, place: number): Field {
  const { name, number } = descriptor
  const tag = tagOf(number, type)
  const skipsNull = descriptor.shape === 'pointer' || type.nullable === true
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

/** A field of a message whose members stand in JSON among those of the message around it. */
export function inlineField({ number }: FieldDescriptor, type: InlineType, place: number): Field {
  const tag = tagOf(number, type)
  return {
    name: '',
    number,
    read(context, slots, wireType) {
      checkWireType(wireType, type.wireType, '(inlined)')
      slots[place] = type.read(context, slots[place])
    },
    emit(target, slots) {
      // What read() gave, which for a message is its slots; or nothing.
      type.emitInto(target, (slots[place] ?? []) as Slots)
    },
    write: (writer, source) => type.write(writer.uint32(tag), source),
  }
}
