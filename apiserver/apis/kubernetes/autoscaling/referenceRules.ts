import { invalidField, type FieldError } from '../../../meta/fieldErrors.ts'
import { pathSegment } from '../../fieldChecks.ts'
import type { CrossVersionObjectReference } from '../shapes/autoscalingV2.ts'

/** Rule for the apiVersion of a reference. */
export type VersionRule = 'any' | 'readable' | 'withGroup'

/**
 * Errors for a reference. Source: Kubernetes API reference, CrossVersionObjectReference; observed
 * answers.
 */
export function referenceErrors(
  path: string,
  { kind, name, apiVersion = '' }: CrossVersionObjectReference,
  versions: VersionRule,
): FieldError[] {
  const problem = versions === 'any' ? undefined : versionProblem(apiVersion, versions)
  return [
    ...pathSegment(`${path}.kind`, kind),
    ...pathSegment(`${path}.name`, name),
    ...(problem === undefined ? [] : [invalidField(`${path}.apiVersion`, apiVersion, problem)]),
  ]
}

/** Problem with an apiVersion under a rule; undefined: none. */
export function versionProblem(apiVersion: string, rule: VersionRule): string | undefined {
  const parts = apiVersion.split('/')
  if (parts.length > 2) return `unexpected GroupVersion string: ${apiVersion}`
  const hasGroup = parts.length === 2 && parts[0] !== ''
  return rule === 'withGroup' && !hasGroup ? 'apiVersion must specify API group' : undefined
}
