import type { JsonSchemaProps } from '../../apiserver/meta/jsonSchemaProps.ts'

type Junctors = Pick<JsonSchemaProps, 'allOf' | 'anyOf' | 'oneOf' | 'not'>

const eitherType: JsonSchemaProps[] = [{ type: 'integer' }, { type: 'string' }]

/** The junctors of a schema, with int-or-string expanded if the definition only has the keyword. Source:
 *  apiextensions, Structural.Unfold. */
export function intOrStringJunctors(props: JsonSchemaProps): Junctors {
  const { allOf = [], anyOf = [] } = props
  if (props['x-kubernetes-int-or-string'] !== true) return props
  if (isEither(anyOf) || isEither(allOf[0]?.anyOf)) return props
  if (anyOf.length === 0) return { ...props, anyOf: eitherType }
  return { ...props, allOf: [{ anyOf: eitherType }, ...allOf] }
}

function isEither(branches: readonly JsonSchemaProps[] = []): boolean {
  return JSON.stringify(branches) === JSON.stringify(eitherType)
}
