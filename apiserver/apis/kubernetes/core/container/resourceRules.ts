import {
  duplicateField,
  forbiddenField,
  invalidField,
  notFoundField,
  notSupportedField,
  requiredField,
  type FieldError,
} from '../../../../meta/fieldErrors.ts'
import { labelErrors, labelKeyErrors } from '../../../../meta/names/nameValidation.ts'
import type { ResourceRequirements } from '../../shapes/coreV1.ts'
import {
  compareQuantityStrings,
  isMultiple,
  isWhole,
  nonnegativeQuantity,
} from '../quantityRules.ts'

const containerNames = ['cpu', 'memory', 'ephemeral-storage']
export const countedNames = [
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
]
const standardNames = [
  ...containerNames,
  ...containerNames.flatMap((name) => [`requests.${name}`, `limits.${name}`]),
  ...countedNames,
  'storage',
  'requests.storage',
]
const hugePages = 'hugepages-'

/**
 * Errors for the name of a resource. Source: Kubernetes documentation, "Resource Management",
 * "Extended resources".
 */
export function resourceNameErrors(path: string, name: string): FieldError[] {
  const errors = labelKeyErrors(name).map((text) => invalidField(path, name, text))
  if (errors.length > 0 || name.includes('/')) return errors
  const isStandard = standardNames.includes(name) || isHugePages(name)
  return isStandard
    ? []
    : [invalidField(path, name, 'must be a standard resource type or fully qualified')]
}

export function isHugePages(name: string): boolean {
  return [hugePages, `requests.${hugePages}`].some((one) => name.startsWith(one))
}

/** Errors for the name of a resource that a container requests. */
export function containerResourceNameErrors(path: string, name: string): FieldError[] {
  const errors = resourceNameErrors(path, name)
  if (!name.includes('/')) {
    const isOfContainers = containerNames.includes(name) || name.startsWith(hugePages)
    const detail = 'must be a standard resource for containers'
    return isOfContainers ? errors : [...errors, invalidField(path, name, detail)]
  }
  const isExtended = isNative(name) || isExtendedName(name)
  const detail = "doesn't follow extended resource name standard"
  return isExtended ? errors : [...errors, invalidField(path, name, detail)]
}

function isNative(name: string): boolean {
  return !name.includes('/') || name.includes('kubernetes.io/')
}

/** Reports whether a resource is an extended resource, which a node advertises under a domain. */
export function isExtendedName(name: string): boolean {
  if (isNative(name) || name.startsWith('requests.')) return false
  return labelKeyErrors(`requests.${name}`).length === 0
}

/** Errors for the quantity of a resource: negative, or a fractional count. */
export function resourceQuantityErrors(path: string, name: string, quantity: string): FieldError[] {
  const errors = nonnegativeQuantity(path, quantity)
  const isCounted = countedNames.includes(name) || isExtendedName(name)
  return isCounted && !isWhole(quantity)
    ? [...errors, invalidField(path, quantity, 'must be an integer')]
    : errors
}

/**
 * Claims of a pod that its containers may name, with their list for error messages, which is
 * created only once since it may be long.
 */
export interface KnownClaims {
  names: ReadonlySet<string>
  text: string
}

export function knownClaims(claims: readonly { name?: string }[]): KnownClaims {
  const names = new Set(claims.map(({ name = '' }) => name).filter((name) => name !== ''))
  const text = names.size === 0 ? ' which is empty' : `: ${[...names].sort().join(', ')}`
  return { names, text }
}

/** Errors for requests and limits. */
export function resourcesErrors(
  path: string,
  resources: ResourceRequirements,
  known: KnownClaims,
): FieldError[] {
  return [
    ...allQuantityErrors(path, resources, containerResourceNameErrors),
    ...claimErrors(`${path}.claims`, resources.claims ?? [], known),
  ]
}

const podNames = ['cpu', hugePages, 'memory']

/** Errors for requests and limits of a whole pod, which has no claims. */
export function podResourcesErrors(
  path: string,
  resources: ResourceRequirements,
  known: KnownClaims,
): FieldError[] {
  const { claims } = resources
  const claimsText = 'claims may not be set for Resources at pod-level'
  return [
    ...(claims === undefined ? [] : [forbiddenField(`${path}.claims`, claimsText)]),
    ...allQuantityErrors(path, resources, podResourceNameErrors),
    ...claimErrors(`${path}.claims`, claims ?? [], known),
  ]
}

function podResourceNameErrors(path: string, name: string): FieldError[] {
  const errors = resourceNameErrors(path, name)
  const isKnown = podNames.includes(name) || name.startsWith(hugePages)
  return errors.length > 0 || isKnown ? errors : [notSupportedField(path, name, podNames)]
}

type NameRule = (path: string, name: string) => FieldError[]

function allQuantityErrors(
  path: string,
  { limits = {}, requests = {} }: ResourceRequirements,
  nameErrors: NameRule,
): FieldError[] {
  const names = [...Object.keys(limits), ...Object.keys(requests)]
  const needsMore =
    names.some((name) => name.startsWith(hugePages)) &&
    !names.some((name) => name === 'cpu' || name === 'memory')
  const own = (at: string, name: string, quantity: string) => [
    ...nameErrors(at, name),
    ...resourceQuantityErrors(at, name, quantity),
  ]
  return [
    ...Object.entries(limits).flatMap(([name, quantity]) => {
      const at = `${path}.limits[${name}]`
      return [...own(at, name, quantity), ...pageErrors(at, name, quantity)]
    }),
    ...Object.entries(requests).flatMap(([name, quantity]) => {
      const at = `${path}.requests[${name}]`
      return [
        ...own(at, name, quantity),
        ...limitErrors(path, name, { quantity, limit: limits[name] }),
        ...pageErrors(at, name, quantity),
      ]
    }),
    ...(needsMore ? [forbiddenField(path, 'HugePages require cpu or memory')] : []),
  ]
}

function pageErrors(path: string, name: string, quantity: string): FieldError[] {
  if (!name.startsWith(hugePages) || isMultiple(quantity, name.slice(hugePages.length))) return []
  return [invalidField(path, quantity, `${quantity} is not positive integer multiple of ${name}`)]
}

function limitErrors(
  path: string,
  name: string,
  { quantity, limit }: { quantity: string; limit: string | undefined },
): FieldError[] {
  const mayExceed = isNative(name) && !name.startsWith(hugePages)
  if (limit === undefined) {
    const detail = 'Limit must be set for non overcommitable resources'
    return mayExceed ? [] : [requiredField(`${path}.limits`, detail)]
  }
  const difference = compareQuantityStrings(quantity, limit)
  const refused = (how: string) => [
    invalidField(`${path}.requests`, quantity, `must be ${how} ${name} limit of ${limit}`),
  ]
  if (!mayExceed && difference !== 0) return refused('equal to')
  return difference > 0 ? refused('less than or equal to') : []
}

function claimErrors(
  path: string,
  claims: NonNullable<ResourceRequirements['claims']>,
  known: KnownClaims,
): FieldError[] {
  const whole = new Set<string>()
  const parts = new Map<string, Set<string>>()
  return claims.flatMap(({ name = '', request = '' }, index) => {
    const at = `${path}[${index}]`
    if (name === '') return [requiredField(at)]
    const errors: FieldError[] = []
    const taken = parts.get(name) ?? new Set<string>()
    if (whole.has(name)) errors.push(duplicateField(at, name))
    else if (request === '') {
      errors.push(...[...taken].map(() => duplicateField(at, name)))
      whole.add(name)
    } else {
      errors.push(
        ...labelErrors(request).map((text) => invalidField(`${at}.request`, request, text)),
      )
      if (taken.has(request)) errors.push(duplicateField(at, `${name}/${request}`))
      parts.set(name, taken.add(request))
    }
    return [...errors, ...unknownClaimErrors(at, name, known)]
  })
}

function unknownClaimErrors(path: string, name: string, known: KnownClaims): FieldError[] {
  if (known.names.has(name)) return []
  const { message, ...error } = notFoundField(path, name)
  const why = `must be one of the names in pod.spec.resourceClaims${known.text}`
  return [{ ...error, message: `${message}: ${why}` }]
}
