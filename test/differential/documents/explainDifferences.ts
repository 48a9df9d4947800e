import { isObject, jsonDifferences, type Difference, type JsonObject } from './jsonDifferences.ts'
import { definitionsOf } from './openApiDifferences.ts'

/**
 * Differences of the trees that `kubectl explain --recursive` prints for the kinds of one v3
 * document: fields, types, required fields, enumeration values. Descriptions are compared by
 * `descriptionDifferences`.
 */
export function explainDifferences(part: string, real: JsonObject, ours: JsonObject): Difference[] {
  const [left, right] = [definitionsOf(real), definitionsOf(ours)]
  return Object.keys(right)
    .filter((name) => isServedKind(right[name]) && name in left)
    .flatMap((name) =>
      jsonDifferences(`explain ${part} ${name}`, tree(name, left), tree(name, right)),
    )
}

function isServedKind(definition: unknown): boolean {
  return isObject(definition) && 'x-kubernetes-group-version-kind' in definition
}

function tree(name: string, definitions: JsonObject, above: readonly string[] = []): unknown {
  // The schema of a definition may contain itself.
  if (above.includes(name)) return name
  return explained(definitions[name], definitions, [...above, name])
}

function explained(schema: unknown, definitions: JsonObject, above: readonly string[]): unknown {
  if (!isObject(schema)) return schema
  const { allOf, $ref, properties, items, additionalProperties, type, required } = schema
  const inside = (one: unknown) => explained(one, definitions, above)
  if (typeof $ref === 'string') return tree($ref.split('/').at(-1) ?? '', definitions, above)
  if (Array.isArray(allOf)) return allOf.map(inside)
  if (isObject(properties)) {
    const fields = Object.entries(properties).map(([name, field]) => [name, inside(field)] as const)
    return { required, fields: Object.fromEntries(fields) }
  }
  if (items !== undefined) return { list: inside(items) }
  if (additionalProperties !== undefined) return { map: inside(additionalProperties) }
  return { type, format: schema['format'], enum: schema['enum'] }
}
