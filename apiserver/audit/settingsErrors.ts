import {
  forbiddenField,
  invalidField,
  notSupportedField,
  requiredField,
  type FieldError,
} from '../meta/fieldErrors.ts'
import {
  auditLevels,
  auditStages,
  requestTargets,
  type AuditResources,
  type AuditRule,
  type AuditSettings,
} from './auditSettings.ts'

/**
 * Validates settings; `path` is their field path, `status.audit`. The caller checks the types.
 * Source: specification, "Config", audit, and "Limits"; platform facts 1.7.
 */
export function auditSettingsErrors(settings: AuditSettings, path: string): FieldError[] {
  const { enabled, level, policy, path: file } = settings
  const errors: FieldError[] = []
  if (enabled === true && (file ?? '') === '') {
    errors.push(requiredField(`${path}.path`, 'a path is needed when audit is enabled'))
  }
  if (level !== undefined && level !== 0) {
    if (![1, 2, 3, 4].includes(level)) {
      errors.push(notSupportedField(`${path}.level`, level, [1, 2, 3, 4]))
    }
    if (policy !== undefined) {
      errors.push(forbiddenField(`${path}.level`, 'may not be used together with policy'))
    }
  }
  errors.push(...namesOutside(policy?.omitStages, auditStages, `${path}.policy.omitStages`))
  const rules = policy?.rules ?? []
  errors.push(...rules.flatMap((rule, at) => ruleErrors(rule, `${path}.policy.rules[${at}]`)))
  return [...errors, ...numberErrors(settings, path), ...endpointErrors(settings, path)]
}

function numberErrors(settings: AuditSettings, path: string): FieldError[] {
  const names = ['dataStoreTTL', 'maxAge', 'maxBackups', 'maxSize'] as const
  return names
    .filter((name) => (settings[name] ?? 0) < 0)
    .map((name) => {
      const why = 'must be greater than or equal to 0'
      return invalidField(`${path}.${name}`, settings[name], why)
    })
}

/** The value is not quoted: it may contain a password. */
function endpointErrors({ dataStoreEndpoint }: AuditSettings, path: string): FieldError[] {
  const endpoint = dataStoreEndpoint ?? ''
  if (endpoint === '') return []
  if (/^postgres(ql)?:\/\//.test(endpoint) && URL.canParse(endpoint)) return []
  const why = 'must be a URL that begins with postgres:// or postgresql://'
  return [invalidField(`${path}.dataStoreEndpoint`, '', why)]
}

function ruleErrors(rule: AuditRule, path: string): FieldError[] {
  const { level, resources = [], resourceNames = [], namespaces = [], nonResourceURLs = [] } = rule
  const errors = namesOutside([level], auditLevels, `${path}.level`, false)
  errors.push(...namesOutside(rule.omitStages, auditStages, `${path}.omitStages`))
  errors.push(...namesOutside(rule.requestTargets, requestTargets, `${path}.requestTargets`))
  if (resourceNames.length > 0 && resources.length === 0) {
    errors.push(forbiddenField(`${path}.resourceNames`, 'may be used with resources only'))
  }
  if (nonResourceURLs.length > 0 && resources.length + namespaces.length > 0) {
    const why = 'rules cannot apply to both regular resources and non-resource URLs'
    errors.push(forbiddenField(`${path}.nonResourceURLs`, why))
  }
  return [
    ...errors,
    ...nonResourceURLs.flatMap((url, at) => urlErrors(url, `${path}.nonResourceURLs[${at}]`)),
    ...resources.flatMap((entry, at) => resourceErrors(entry, `${path}.resources[${at}]`)),
  ]
}

function urlErrors(url: string, path: string): FieldError[] {
  if (url === '*') return []
  if (!url.startsWith('/')) {
    return [invalidField(path, url, 'non-resource URL rules must begin with a "/" character')]
  }
  const star = url.indexOf('*')
  if (star < 0 || (star === url.length - 1 && url.endsWith('/*'))) return []
  return [invalidField(path, url, '* may only be used as the last step of a path')]
}

function resourceErrors(entry: AuditResources, path: string): FieldError[] {
  const { resources = [], resourceNames = [] } = entry
  if (resourceNames.length === 0 || resources.length > 0) return []
  const why = 'using resourceNames requires at least one resource'
  return [invalidField(`${path}.resourceNames`, resourceNames, why)]
}

function namesOutside(
  given: readonly string[] | undefined,
  known: readonly string[],
  path: string,
  isList = true,
): FieldError[] {
  return (given ?? []).flatMap((name, at) =>
    known.includes(name) ? [] : [notSupportedField(isList ? `${path}[${at}]` : path, name, known)],
  )
}
