import { invalidField, tooLongField, type FieldError } from '../../../meta/fieldErrors.ts'
import { CelLibrary } from '../../../cel/library.ts'
import {
  dyn,
  mapOf,
  objectType,
  typeNamed,
  typeText,
  type CelType,
} from '../../../cel/types/types.ts'
import { messageOf } from '../../../meta/messageOf.ts'

const nothingText =
  "compilation failed: ERROR: <input>:1:0: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}"
const maxBytes = 10 * 1024
const text = typeNamed('string')

const fields: Readonly<Record<string, CelType>> = {
  driver: text,
  attributes: mapOf(text, mapOf(text, dyn)),
  capacity: mapOf(text, mapOf(text, typeNamed('kubernetes.Quantity'))),
  allowMultipleAllocations: typeNamed('bool'),
}

const variables = new Map([
  ['device', objectType((name) => (Object.hasOwn(fields, name) ? fields[name] : undefined))],
])

/**
 * Errors for an expression that selects devices. Source: Kubernetes API reference,
 * CELDeviceSelector v1.
 */
export function deviceExpressionErrors(path: string, expression: string): FieldError[] {
  if (Buffer.byteLength(expression) > maxBytes) return [tooLongField(path, maxBytes)]
  if (expression === '') return [invalidField(path, '', nothingText)]
  try {
    const type = typeText(new CelLibrary().typeOf(expression, variables))
    if (type === 'bool' || type === 'dyn') return []
    return [
      invalidField(path, expression, 'must evaluate to bool or the unknown type, not ' + type),
    ]
  } catch (error) {
    const why = messageOf(error)
    return [invalidField(path, expression, why)]
  }
}
