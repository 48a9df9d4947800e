import { memberPath } from '../meta/fieldPath.ts'
import type { Schema } from '../meta/schema.ts'

/**
 * Path for a rule's error: `path` followed by the rule's `fieldPath`, such as `.spec['a-b']`. The
 * schema distinguishes properties from map keys.
 * Source: Kubernetes documentation, "Field paths".
 */
export function ruleField(path: string, fieldPath: string, schema: Schema): string {
  let at = path
  let here: Schema | undefined = schema
  for (const name of fieldPathSteps(fieldPath)) {
    const properties: Schema['properties'] = here?.properties ?? {}
    const member: Schema | undefined = Object.hasOwn(properties, name)
      ? properties[name]
      : undefined
    const isKey = member === undefined && here?.additionalProperties !== undefined
    at = isKey ? `${at}[${name}]` : memberPath(at, name)
    here = member ?? here?.additionalProperties
  }
  return at
}

/** Names in a well-formed path. */
export function fieldPathSteps(fieldPath: string): string[] {
  const steps = fieldPath.matchAll(/\.([^.[]+)|\['([^']+)'\]/g)
  return [...steps].map(([, plain, quoted]) => plain ?? quoted ?? '')
}
