import type { MessageType } from './messageType.ts'
import type { ValueType } from './valueType.ts'

/** How a message looks in JSON that is no object of its fields there. */
export interface Form {
  /** From the fields that were on the wire, the others at zero.
   *  @throws Error for fields that no value has. */
  toJson(fields: Readonly<Record<string, unknown>>): unknown
  /** The fields of a value; undefined for none.
   *  @throws EncodeProblem for a value of another type. */
  toFields(json: unknown): Readonly<Record<string, unknown>> | undefined
  /** See ValueType. */
  emptyJson?: () => unknown
  isEmpty?(json: unknown): boolean
}

/** A message with a form of its own. */
export function formedType(message: MessageType, form: Form): ValueType {
  return {
    wireType: 2,
    ...(form.emptyJson && { emptyJson: form.emptyJson }),
    get weight() {
      return message.weight
    },
    read: (context, before) => message.read(context, before),
    toJson: (read) =>
      read === undefined && form.emptyJson ? null : form.toJson(message.toJson(read)),
    write(writer, json) {
      const fields = form.toFields(json)
      if (fields === undefined) writer.uint32(0)
      else message.write(writer, fields)
    },
    isEmpty: (json) => form.isEmpty?.(json) ?? false,
  }
}
