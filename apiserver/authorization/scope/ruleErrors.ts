import {
  invalidField,
  notSupportedField,
  requiredField,
  type FieldError,
} from '../../meta/fieldErrors.ts'
import type { ScopeResources, ScopeRule } from './accessKeyScope.ts'
import { isPathPattern } from './pathPattern.ts'
import { isResourcePattern } from './resourcePattern.ts'
import { requestTargets } from './scopeRuleMatcher.ts'

/** Validates a rule. Source: specification, "Scope", rules. */
export function ruleErrors(rule: ScopeRule, path: string): FieldError[] {
  const { verbs = [], resources = [], namespaces = [], nonResourceURLs = [] } = rule
  return [
    ...verbs.flatMap((verb, at) => (verb === '' ? [requiredField(`${path}.verbs[${at}]`)] : [])),
    ...resources.flatMap((entry, at) => resourcesErrors(entry, `${path}.resources[${at}]`)),
    ...namesErrors(rule, path),
    ...nonResourceURLs.flatMap((url, at) => pathErrors(url, `${path}.nonResourceURLs[${at}]`)),
    ...targetErrors(rule, path),
    ...(nonResourceURLs.length > 0 && resources.length + namespaces.length > 0
      ? [
          invalidField(
            `${path}.nonResourceURLs`,
            nonResourceURLs,
            'rules cannot apply to both regular resources and non-resource URLs',
          ),
        ]
      : []),
  ]
}

function resourcesErrors({ resources = [], resourceNames = [] }: ScopeResources, path: string) {
  const errors = resources.flatMap((pattern, at) =>
    isResourcePattern(pattern)
      ? []
      : [
          invalidField(
            `${path}.resources[${at}]`,
            pattern,
            'must be a resource, resource/subresource, *, resource/* or */subresource',
          ),
        ],
  )
  if (resourceNames.length > 0 && resources.length === 0)
    errors.push(requiredField(`${path}.resources`, 'resourceNames need resources'))
  return errors
}

function namesErrors({ resources = [], resourceNames = [] }: ScopeRule, path: string) {
  if (resourceNames.length === 0 || resources.length > 0) return []
  return [requiredField(`${path}.resources`, 'resourceNames need resources')]
}

function pathErrors(url: string, path: string): FieldError[] {
  if (isPathPattern(url)) return []
  return [
    invalidField(path, url, 'must begin with a slash, with a wildcard only as the final path step'),
  ]
}

function targetErrors({ requestTargets: targets = [] }: ScopeRule, path: string): FieldError[] {
  const known: readonly string[] = [...requestTargets, '*']
  return targets.flatMap((target, at) =>
    known.includes(target)
      ? []
      : [notSupportedField(`${path}.requestTargets[${at}]`, target, requestTargets)],
  )
}
