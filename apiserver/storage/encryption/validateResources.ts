import { invalidField, requiredField, type FieldError } from '../../meta/fieldErrors.ts'
import { parseGroupResource } from './encryptionConfiguration.ts'

const faults = {
  capital: 'resource name should not contain capital letters',
  star: "use '*.' to encrypt all the resources from core API group or *.* to encrypt all resources",
  noApi: 'resources which do not have REST API/s cannot be encrypted',
  events:
    "'*.events.k8s.io' objects are stored using the 'events' API group in etcd. Use 'events' instead in the config file",
  extensions: "'extensions' group has been removed and cannot be used for encryption",
  acrossGroups: 'encrypting the same resource across groups is not supported',
  duplicate: 'the same resource cannot be specified multiple times',
  overlap:
    "using overlapping resources such as 'secrets' and '*.' in the same resource list is not allowed as they will be masked",
}

const withoutApi = new Set([
  'apiserveripinfo',
  'serviceipallocations',
  'servicenodeportallocations',
])

/** Errors of the resources of a rule. */
export function resourceErrors(names: readonly string[], path: string): FieldError[] {
  if (names.length === 0) return [requiredField(path, `at least one ${path} is required`)]
  const errors: FieldError[] = []
  if (new Set(names).size < names.length) errors.push(invalidField(path, names, faults.duplicate))
  if (overlaps(names)) errors.push(invalidField(path, names, faults.overlap))
  names.forEach((name, index) => {
    const fault = nameFault(name)
    if (fault !== undefined) errors.push(invalidField(`${path}[${index}]`, name, fault))
  })
  return errors
}

function overlaps(names: readonly string[]): boolean {
  const parsed = [...new Set(names)].map(parseGroupResource)
  return parsed.some(({ group, resource }, at) => {
    if (resource !== '*') return false
    return parsed.some((other, index) => index !== at && (group === '*' || other.group === group))
  })
}

function nameFault(name: string): string | undefined {
  const { group, resource } = parseGroupResource(name)
  if (name.toLowerCase() !== name) return faults.capital
  if (name === '*') return faults.star
  if (withoutApi.has(name)) return faults.noApi
  if (group === 'events.k8s.io') return faults.events
  if (group === 'extensions') return faults.extensions
  return group === '*' && resource !== '*' ? faults.acrossGroups : undefined
}
