import { objectSchema } from '../../registry/schema/canonicalForm.ts'
import type { ResourceDefinition } from '../../registry/resource.ts'
import { servesProtobuf } from '../response/protobufForm.ts'
import { goTypeErrors } from './goTypeErrors.ts'
import { jsonVoice, unstructuredVoice } from './goVoices.ts'

/** The first value of an object that does not have its type, in the words of the decoder of JSON, or of the conversion
 *  of maps; undefined: all have. Types of custom objects are checked when they are validated. */
export function typeProblem(
  object: object,
  resource: ResourceDefinition,
  decoder: 'json' | 'map',
): string | undefined {
  if (!servesProtobuf(resource)) return undefined
  const voice = decoder === 'json' ? jsonVoice : unstructuredVoice
  return goTypeErrors(object, objectSchema(resource.schema), voice).why
}
