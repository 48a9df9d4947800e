import { jsonText } from '../../meta/json/exactJson.ts'
import { decodeJson } from '../json.ts'
import type { Form } from './formedType.ts'
import { DecodeProblem, EncodeProblem } from './valueType.ts'

/**
 * A quantity as a string. It is validated but kept as written; Go's clients send the canonical form.
 * Source: Quantity of apimachinery's api/resource.
 */
export const quantityForm: Form = {
  toJson({ string: text = '0' }) {
    if (typeof text === 'string' && quantity.test(text)) return text
    throw new DecodeProblem(
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    )
  },
  toFields(json) {
    if (json === null || json === undefined) return { string: '0' }
    if (typeof json === 'number') return { string: String(json) }
    if (typeof json !== 'string' || !quantity.test(json)) throw new EncodeProblem('quantity', json)
    return { string: json }
  },
}

const quantity = /^[+-]?(\d+\.?\d*|\.\d+)([numkMGTPE]|[KMGTPE]i|[eE][+-]?\d+)?$/

/** A number or a string. Source: IntOrString of apimachinery's util/intstr. */
export const intOrStringForm: Form = {
  toJson({ type = 0, intVal = 0, strVal = '' }) {
    if (type === 0) return intVal
    if (type === 1) return strVal
    throw new DecodeProblem('impossible IntOrString.Type')
  },
  toFields: (json) =>
    typeof json === 'string' ? { type: 1, strVal: json } : { type: 0, intVal: json ?? 0 },
}

/** Raw JSON, embedded in the JSON form. Source: RawExtension, FieldsV1 and the JSON of apiextensions. */
export const rawJsonForm: Form = {
  // Sound: the message has one field, of bytes.
  toJson: ({ raw }) => (isNothing(raw) ? null : decodeJson(raw as Buffer).value),
  toFields: (json) =>
    json === null || json === undefined ? undefined : { raw: Buffer.from(jsonText(json)) },
}

function isNothing(raw: unknown): boolean {
  return raw === undefined || (raw instanceof Uint8Array && raw.length === 0)
}

/** A list of strings with its own message. Source: Verbs and ExtraValue of the built-in types. */
export const stringListForm: Form = {
  emptyJson: () => [],
  toJson: ({ items }) => items ?? [],
  toFields: (json) => ({ items: json }),
  isEmpty: (json) => json === null || (Array.isArray(json) && json.length === 0),
}
