import { isDeepStrictEqual } from 'node:util'
import type {
  CustomResourceDefinition,
  DefinitionCondition,
  DefinitionNames,
} from './definition.ts'

/** Names that other definitions of a group use. */
export interface TakenNames {
  /** Plurals, singulars and short names. */
  resources: ReadonlySet<string>
  /** Kinds and list kinds. */
  kinds: ReadonlySet<string>
}

export interface Acceptance {
  names: Partial<DefinitionNames>
  condition: Pick<DefinitionCondition, 'type' | 'status' | 'reason' | 'message'>
}

/**
 * Accepted names of a definition: those requested names that are free or that the definition
 * already has. Source: apiextensions, the naming controller.
 */
export function acceptNames(
  { spec: { names: wanted }, status }: CustomResourceDefinition,
  { resources, kinds }: TakenNames,
): Acceptance {
  const names: Partial<DefinitionNames> = { ...status?.acceptedNames }
  let conflict: { reason: string; message: string } | undefined
  const claim = (name: SingleName, reason: string, taken: ReadonlySet<string>) => {
    const value = wanted[name]
    if (value !== names[name] && value !== undefined && taken.has(value)) {
      conflict = { reason, message: inUse(value) }
    } else if (value !== undefined) names[name] = value
  }
  claim('plural', 'PluralConflict', resources)
  claim('singular', 'SingularConflict', resources)
  const shortNames = refusedShortNames(wanted, names, resources)
  if (shortNames.length > 0) {
    conflict = { reason: 'ShortNamesConflict', message: aggregate(shortNames.map(inUse)) }
  } else replace(names, 'shortNames', wanted.shortNames)
  claim('kind', 'KindConflict', kinds)
  claim('listKind', 'ListKindConflict', kinds)
  replace(names, 'categories', wanted.categories)
  return { names, condition: namesCondition(conflict) }
}

type SingleName = 'plural' | 'singular' | 'kind' | 'listKind'

function refusedShortNames(
  { shortNames: wanted = [] }: DefinitionNames,
  { shortNames: own = [] }: Partial<DefinitionNames>,
  taken: ReadonlySet<string>,
): string[] {
  if (isDeepStrictEqual(wanted, own)) return []
  return wanted.filter((name) => !own.includes(name) && taken.has(name))
}

function replace(
  names: Partial<DefinitionNames>,
  list: 'shortNames' | 'categories',
  wanted: string[] | undefined,
): void {
  if (wanted === undefined) Reflect.deleteProperty(names, list)
  else names[list] = wanted
}

function inUse(name: string): string {
  return `${JSON.stringify(name)} is already in use`
}

function aggregate(texts: readonly string[]): string {
  return texts.length === 1 ? String(texts[0]) : `[${texts.join(', ')}]`
}

function namesCondition(
  conflict: { reason: string; message: string } | undefined,
): Acceptance['condition'] {
  if (conflict !== undefined) return { type: 'NamesAccepted', status: 'False', ...conflict }
  return {
    type: 'NamesAccepted',
    status: 'True',
    reason: 'NoConflicts',
    message: 'no conflicts found',
  }
}
