import {
  invalidField,
  notSupportedField,
  requiredField,
  type FieldError,
} from '../../meta/fieldErrors.ts'
import type { NamesProfile } from '../../meta/names/namesProfile.ts'
import type { AccessKeyScope } from './accessKeyScope.ts'
import { roleNamed, roleTexts } from './roleNames.ts'
import { ruleErrors } from './ruleErrors.ts'

/**
 * Validates a scope beyond its schema. `path` is the field path of the scope, `spec.scope`.
 * Source: specification, "Scope"; platform facts 2.
 */
export function scopeErrors(
  stored: Record<string, unknown> | undefined,
  path: string,
  names: NamesProfile,
): FieldError[] {
  // Guaranteed by the schema of the kind.
  const scope = (stored ?? {}) as AccessKeyScope
  return [
    ...(scope.roles ?? []).flatMap(({ role }, index) =>
      roleErrors(role, `${path}.roles[${index}].role`, names),
    ),
    ...entryErrors(scope.projects, ['project'], `${path}.projects`),
    ...entryErrors(scope.spaces, ['project', 'space'], `${path}.spaces`),
    ...entryErrors(scope.virtualClusters, ['project', 'virtualCluster'], `${path}.virtualClusters`),
    ...entryErrors(scope.clusters, ['cluster'], `${path}.clusters`),
    ...(scope.rules ?? []).flatMap((rule, index) => ruleErrors(rule, `${path}.rules[${index}]`)),
  ]
}

function roleErrors(role = '', path: string, names: NamesProfile): FieldError[] {
  if (role === '') return [requiredField(path)]
  if (roleNamed(role, names) !== undefined) return []
  return [notSupportedField(path, role, roleTexts(names))]
}

function entryErrors<Field extends string>(
  entries: readonly Partial<Record<Field, string>>[] = [],
  fields: readonly Field[],
  path: string,
): FieldError[] {
  return entries.flatMap((entry, index) =>
    fields.flatMap((field) => nameErrors(entry[field], `${path}[${index}].${field}`)),
  )
}

/** Validates a name, or `*` alone. */
function nameErrors(name = '', path: string): FieldError[] {
  if (name === '') return [requiredField(path)]
  if (name === '*' || !name.includes('*')) return []
  return [invalidField(path, name, 'a wildcard cannot be combined with other values')]
}
