import { invalidField, requiredField, type FieldError } from '../../../meta/fieldErrors.ts'
import { dns1035Errors, subdomainErrors } from '../../../meta/names/nameValidation.ts'
import { optionalChoice } from '../../fieldChecks.ts'
import { fillMissing } from '../../fill.ts'
import { selectorErrors } from '../selectorRules.ts'
import type { MatchResources, ParamKind } from '../shapes/admissionregistrationV1.ts'
import { namedRuleErrors } from './operationRules.ts'
import { matchPolicies } from './webhookRules.ts'

/** Sets the defaults of decoding. */
export function setMatchDefaults(match: MatchResources): void {
  fillMissing(match, { matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {} })
  for (const rule of [...(match.resourceRules ?? []), ...(match.excludeResourceRules ?? [])]) {
    fillMissing(rule, { scope: '*' })
  }
}

/** Validates the requests that a policy or a binding matches. Source: Kubernetes API reference, MatchResources v1. */
export function matchErrors(path: string, match: MatchResources): FieldError[] {
  const { namespaceSelector = {}, objectSelector = {}, matchPolicy } = match
  const { resourceRules = [], excludeResourceRules = [] } = match
  return [
    ...optionalChoice(`${path}.matchPolicy`, matchPolicy, matchPolicies),
    ...selectorErrors(`${path}.namespaceSelector`, namespaceSelector),
    ...selectorErrors(`${path}.objectSelector`, objectSelector),
    ...resourceRules.flatMap((rule, at) => namedRuleErrors(`${path}.resourceRules[${at}]`, rule)),
    ...excludeResourceRules.flatMap((rule, at) =>
      namedRuleErrors(`${path}.excludeResourceRules[${at}]`, rule),
    ),
  ]
}

/** Validates the kind of parameters. */
export function paramKindErrors(
  path: string,
  { apiVersion = '', kind = '' }: ParamKind,
): FieldError[] {
  return [
    ...versionErrors(`${path}.apiVersion`, apiVersion),
    ...(kind === ''
      ? [requiredField(`${path}.kind`)]
      : dns1035Errors(kind.toLowerCase()).map((text) =>
          invalidField(
            `${path}.kind`,
            kind,
            `may have mixed case, but should otherwise match: ${text}`,
          ),
        )),
  ]
}

function versionErrors(path: string, apiVersion: string): FieldError[] {
  if (apiVersion === '') return [requiredField(path)]
  const parts = apiVersion.split('/')
  if (parts.length > 2) {
    return [invalidField(path, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)]
  }
  const [version = '', group = ''] = [...parts].reverse()
  return [
    ...(group === '' ? [] : subdomainErrors(group).map((text) => invalidField(path, group, text))),
    ...(version === ''
      ? [invalidField(path, apiVersion, 'version must be specified')]
      : dns1035Errors(version).map((text) => invalidField(path, version, text))),
  ]
}
