import { parseFields, type FieldDescriptor, type Messages } from './descriptor.ts'
import type { Field } from './field.ts'
import { formedType, type Form } from './formedType.ts'
import { MessageType, type MessageFields } from './messageType.ts'
import { listField, mapField } from './repeatedFields.ts'
import { scalarTypes } from './scalarTypes.ts'
import { schemaForms } from './schemaForms.ts'
import { inlineField, valueField } from './singleFields.ts'
import { microTimeForm, timeForm } from './timeForms.ts'
import { intOrStringForm, quantityForm, rawJsonForm, stringListForm } from './valueForms.ts'
import type { ValueType } from './valueType.ts'

/** Fields and JSON forms of types that descriptors use without defining them. */
const known: Readonly<Record<string, { line: string; form: Form }>> = {
  Time: { line: 'seconds:1:*int64 nanos:2:int32', form: timeForm },
  MicroTime: { line: 'seconds:1:*int64 nanos:2:int32', form: microTimeForm },
  Quantity: { line: 'string:1:string', form: quantityForm },
  IntOrString: { line: 'type:1:int64 intVal:2:int32 strVal:3:string', form: intOrStringForm },
  RawExtension: { line: 'raw:1:buffer', form: rawJsonForm },
  FieldsV1: { line: 'raw:1:buffer', form: rawJsonForm },
  JSON: { line: 'raw:1:buffer', form: rawJsonForm },
  StringList: { line: 'items:1:[]string', form: stringListForm },
}

/** The types of messages, created on demand. */
export class TypeTable {
  readonly #lines: Messages
  readonly #messages = new Map<string, MessageType>()
  readonly #types = new Map<string, ValueType>(Object.entries(scalarTypes))

  constructor(lines: Messages) {
    this.#lines = lines
  }

  /** A message type. @throws Error if no package has it. */
  message(packageName: string, name: string): MessageType {
    const key = `${packageName}.${name}`
    let message = this.#messages.get(key)
    if (message === undefined) {
      const line = this.#lines[packageName]?.[name]
      if (line === undefined) throw new Error(`no descriptor has ${key}`)
      message = this.#fromLine(line, packageName)
      this.#messages.set(key, message)
    }
    return message
  }

  #fromLine(line: string, packageName: string): MessageType {
    return new MessageType(() => this.#define(parseFields(line), packageName))
  }

  #define(descriptors: readonly FieldDescriptor[], packageName: string): MessageFields {
    let weight = 1
    const fields = descriptors.map((descriptor, place) => {
      const type = this.#resolve(descriptor.type, packageName)
      if (isAlways(descriptor)) weight += type.weight ?? 0
      return fieldOf(descriptor, type, place)
    })
    return { fields, weight }
  }

  #resolve(name: string, packageName: string): ValueType {
    const dot = name.lastIndexOf('.')
    if (dot >= 0) return this.#resolve(name.slice(dot + 1), name.slice(0, dot))
    const form = schemaForms[name]
    if (form === undefined) return this.#shared(name) ?? this.message(packageName, name)
    return formedType(this.message(packageName, name), form)
  }

  /** A type that is common to all packages. */
  #shared(name: string): ValueType | undefined {
    const type = this.#types.get(name)
    const formed = known[name]
    if (type !== undefined || formed === undefined) return type
    const made = formedType(this.#fromLine(formed.line, ''), formed.form)
    this.#types.set(name, made)
    return made
  }
}

/** Reports whether JSON may have a value of the field even if the wire has none. */
function isAlways({ shape }: FieldDescriptor): boolean {
  return shape === 'value' || shape === 'inline'
}

function fieldOf(descriptor: FieldDescriptor, type: ValueType, place: number): Field {
  switch (descriptor.shape) {
    case 'list':
      return listField(descriptor, type, place)
    case 'map':
      return mapField(descriptor, type, place)
    case 'inline':
      if (!(type instanceof MessageType)) throw new Error(`${descriptor.type} cannot be inlined`)
      return inlineField(descriptor, type, place)
    case 'value':
    case 'pointer':
      return valueField(descriptor, type, place)
  }
}
