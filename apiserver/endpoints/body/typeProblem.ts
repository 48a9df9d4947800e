import { objectSchema } from '../../registry/schema/canonicalForm.ts'
import type { ResourceDefinition } from '../../registry/resource.ts'
import { servesProtobuf } from '../response/protobufForm.ts'
import { goTypeErrors } from './goTypeErrors.ts'
import { jsonVoice, unstructuredVoice } from './goVoices.ts'

/**
 * First value of an object with a wrong type, in the wording of the JSON decoder or of the conversion of maps;
 * undefined: none. Types of custom objects are checked when they are validated.
 */
export function typeProblem(
  object: object,
  resource: ResourceDefinition,
  decoder: 'json' | 'map',
): string | undefined {
  if (!servesProtobuf(resource)) return undefined
  const voice = decoder === 'json' ? jsonVoice : unstructuredVoice
  return goTypeErrors(object, objectSchema(resource.schema), voice).why
}
