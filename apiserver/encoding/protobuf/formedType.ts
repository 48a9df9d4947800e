import type { MessageType } from './messageType.ts'
import type { ValueType } from './valueType.ts'

/** The JSON form of a message that JSON does not represent as an object of its fields. */
export interface Form {
  /**
   * Converts the decoded fields; missing ones are zero.
   * @throws Error for an invalid combination of fields.
   */
  toJson(fields: Readonly<Record<string, unknown>>): unknown
  /**
   * The fields of a value; undefined if it is absent.
   * @throws EncodeProblem for a value of another type.
   */
  toFields(json: unknown): Readonly<Record<string, unknown>> | undefined
  /** See ValueType. */
  emptyJson?: () => unknown
  isEmpty?(json: unknown): boolean
}

/** A message type with a separate JSON form. */
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
