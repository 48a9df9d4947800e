import { setMember } from '../../meta/json/plainMembers.ts'
import { checkEnd, checkWireType, endOf, tagOf, type Field } from './field.ts'
import type { FieldDescriptor } from './descriptor.ts'
import { readText, writeText } from './scalarTypes.ts'
import {
  countObjects,
  EncodeProblem,
  objectOrEmpty,
  type ReadContext,
  type ValueType,
} from './valueType.ts'

/** A list field. `place`: position of the field's slot. */
export function listField(descriptor: FieldDescriptor, type: ValueType, place: number): Field {
  const { name, number } = descriptor
  const tag = tagOf(number, type)
  return {
    name,
    number,
    read(context, slots, wireType) {
      // Sound: only this function writes to the slot.
      const items = (slots[place] ??= []) as unknown[]
      if (wireType === 2 && type.wireType !== 2) {
        readPacked(context, items, type)
        return
      }
      checkWireType(wireType, type.wireType, name)
      countObjects(context, itemWeight)
      items.push(type.toJson(type.read(context)))
    },
    emit: emitter(descriptor, place),
    write(writer, source) {
      const items = source[name]
      if (items === null || items === undefined) return
      if (!Array.isArray(items)) throw new EncodeProblem('array', items)
      for (const item of items) type.write(writer.uint32(tag), item)
    },
  }
}

/** A map field with string keys. `place`: position of the field's slot. */
export function mapField(descriptor: FieldDescriptor, type: ValueType, place: number): Field {
  const { name, number } = descriptor
  const tag = (number << 3) | 2
  const valueTag = tagOf(2, type)
  return {
    name,
    number,
    read(context, slots, wireType) {
      checkWireType(wireType, 2, name)
      countObjects(context, entryWeight)
      // Sound: only this function writes to the slot.
      readEntry(context, (slots[place] ??= {}) as Record<string, unknown>, type)
    },
    emit: emitter(descriptor, place),
    write(writer, source) {
      const map = objectOrEmpty(source[name])
      for (const key of Object.keys(map).sort()) {
        writeText(writer.uint32(tag).fork().uint32(keyTag), key)
        const value = map[key]
        if (value !== null || type.emptyJson === undefined)
          type.write(writer.uint32(valueTag), value)
        writer.ldelim()
      }
    },
  }
}

const keyTag = (1 << 3) | 2

/** Weight in objects: a map entry takes several times as long as a list item. */
const itemWeight = 2
const entryWeight = 16

function emitter({ name, omit }: FieldDescriptor, place: number): Field['emit'] {
  return (target, slots) => {
    const value = slots[place]
    if (value !== undefined) target[name] = value
    else if (omit === 'never') target[name] = null
  }
}

function readPacked(context: ReadContext, items: unknown[], type: ValueType): void {
  const end = endOf(context.reader)
  while (context.reader.pos < end) {
    countObjects(context, itemWeight)
    items.push(type.read(context))
  }
  checkEnd(context.reader, end)
}

function readEntry(context: ReadContext, map: Record<string, unknown>, type: ValueType): void {
  const { reader } = context
  const end = endOf(reader)
  let key = ''
  let value: unknown
  while (reader.pos < end) {
    const tag = reader.tag()
    if (tag >>> 3 === 1) {
      checkWireType(tag & 7, 2, 'key')
      key = readText(reader)
    } else if (tag >>> 3 === 2) {
      checkWireType(tag & 7, type.wireType, 'value')
      value = type.read(context)
    } else reader.skipType(tag & 7, 0, tag >>> 3)
  }
  checkEnd(reader, end)
  const isEmpty = value === undefined && type.emptyJson !== undefined
  setMember(map, key, isEmpty ? type.emptyJson?.() : type.toJson(value))
}
