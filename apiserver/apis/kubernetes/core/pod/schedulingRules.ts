import {
  forbiddenField,
  invalidField,
  requiredField,
  type FieldError,
} from '../../../../meta/fieldErrors.ts'
import {
  labelErrors,
  labelKeyErrors,
  labelValueErrors,
  subdomainErrors,
} from '../../../../meta/names/nameValidation.ts'
import { errorIf, optionalChoice, oneOf } from '../../../fieldChecks.ts'
import { repeats } from '../../../../meta/collections/repeats.ts'
import { operatorErrors, selectorErrors } from '../../selectorRules.ts'
import type {
  Affinity,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  PodAffinityTerm,
  TopologySpreadConstraint,
} from '../../shapes/coreV1.ts'

/**
 * Errors for affinities and spread constraints. Source: Kubernetes API reference, Affinity and
 * TopologySpreadConstraint v1; observed answers.
 */
export function affinityErrors(
  path: string,
  { nodeAffinity = {}, podAffinity = {}, podAntiAffinity = {} }: Affinity,
): FieldError[] {
  const node = `${path}.nodeAffinity`
  const { [required]: needed, [preferred]: wished = [] } = nodeAffinity
  return [
    ...(needed
      ? nodeSelectorErrors(`${node}.${required}`, needed.nodeSelectorTerms ?? [], true)
      : []),
    ...wished.flatMap(({ weight = 0, preference = {} }, index) => {
      const at = `${node}.${preferred}[${index}]`
      return [...weightErrors(at, weight), ...termErrors(`${at}.preference`, preference, false)]
    }),
    ...podTermsErrors(`${path}.podAffinity`, podAffinity),
    ...podTermsErrors(`${path}.podAntiAffinity`, podAntiAffinity),
  ]
}

const required = 'requiredDuringSchedulingIgnoredDuringExecution'
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution'

function weightErrors(path: string, weight: number): FieldError[] {
  if (weight >= 1 && weight <= 100) return []
  return [invalidField(`${path}.weight`, weight, 'must be in the range 1-100')]
}

/** `checksValues`: values must be valid label values. */
export function nodeSelectorErrors(
  path: string,
  terms: readonly NodeSelectorTerm[],
  checksValues: boolean,
): FieldError[] {
  const at = `${path}.nodeSelectorTerms`
  if (terms.length === 0) return [requiredField(at, 'must have at least one node selector term')]
  return terms.flatMap((term, index) => termErrors(`${at}[${index}]`, term, checksValues))
}

function termErrors(
  path: string,
  { matchExpressions = [], matchFields = [] }: NodeSelectorTerm,
  checksValues: boolean,
): FieldError[] {
  return [
    ...matchExpressions.flatMap((one, index) =>
      labelTestErrors(`${path}.matchExpressions[${index}]`, one, checksValues),
    ),
    ...matchFields.flatMap((one, index) => fieldTestErrors(`${path}.matchFields[${index}]`, one)),
  ]
}

function labelTestErrors(
  path: string,
  test: NodeSelectorRequirement,
  checksValues: boolean,
): FieldError[] {
  const { key = '', values = [] } = test
  return [
    ...testOperatorErrors(path, test),
    ...labelKeyErrors(key).map((text) => invalidField(`${path}.key`, key, text)),
    ...(checksValues ? values : []).flatMap((value, index) =>
      labelValueErrors(value).map((text) => invalidField(`${path}.values[${index}]`, value, text)),
    ),
  ]
}

/** Errors for the operator of a node test, which may also compare numbers. */
function testOperatorErrors(path: string, test: NodeSelectorRequirement): FieldError[] {
  const { operator, values = [] } = test
  if (operator !== 'Gt' && operator !== 'Lt') return operatorErrors(path, test)
  return values.length === 1
    ? []
    : [
        requiredField(
          `${path}.values`,
          "must be specified single value when `operator` is 'Lt' or 'Gt'",
        ),
      ]
}

const oneValueText =
  "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"

/** Errors for node field terms: the name is the only known field. */
function fieldTestErrors(
  path: string,
  { key = '', operator = '', values = [] }: NodeSelectorRequirement,
): FieldError[] {
  const isKnown = operator === 'In' || operator === 'NotIn'
  return [
    ...(isKnown
      ? []
      : [invalidField(`${path}.operator`, operator, 'not a valid selector operator')]),
    ...(isKnown && values.length !== 1 ? [requiredField(`${path}.values`, oneValueText)] : []),
    ...(key === 'metadata.name'
      ? values.flatMap((value, index) =>
          subdomainErrors(value).map((text) =>
            invalidField(`${path}.values[${index}]`, value, text),
          ),
        )
      : [invalidField(`${path}.key`, key, 'not a valid field selector key')]),
  ]
}

function podTermsErrors(
  path: string,
  { [required]: needed = [], [preferred]: wished = [] }: NonNullable<Affinity['podAffinity']>,
): FieldError[] {
  return [
    ...needed.flatMap((term, index) => podTermErrors(`${path}.${required}[${index}]`, term)),
    ...wished.flatMap(({ weight = 0, podAffinityTerm = {} }, index) => {
      const at = `${path}.${preferred}[${index}]`
      return [
        ...weightErrors(at, weight),
        ...podTermErrors(`${at}.podAffinityTerm`, podAffinityTerm),
      ]
    }),
  ]
}

function podTermErrors(path: string, term: PodAffinityTerm): FieldError[] {
  const { labelSelector, namespaceSelector, namespaces = [], topologyKey = '' } = term
  return [
    ...(labelSelector ? selectorErrors(`${path}.labelSelector`, labelSelector) : []),
    ...(namespaceSelector ? selectorErrors(`${path}.namespaceSelector`, namespaceSelector) : []),
    ...namespaces.flatMap((name) =>
      labelErrors(name).map((text) => invalidField(`${path}.namespace`, name, text)),
    ),
    ...ownLabelErrors(path, term),
    ...topologyKeyErrors(`${path}.topologyKey`, topologyKey),
  ]
}

function topologyKeyErrors(path: string, key: string): FieldError[] {
  return [
    ...(key === '' ? [requiredField(path, 'can not be empty')] : []),
    ...labelKeyErrors(key).map((text) => invalidField(path, key, text)),
  ]
}

type LabelKeys = Pick<PodAffinityTerm, 'labelSelector' | 'matchLabelKeys' | 'mismatchLabelKeys'>

/**
 * Errors for the keys of the pod's own labels, which were merged into the selector. A duplicate key
 * is reported at `path` itself, as in kube-apiserver.
 */
function ownLabelErrors(path: string, keys: LabelKeys): FieldError[] {
  const { labelSelector: selector, matchLabelKeys = [], mismatchLabelKeys = [] } = keys
  const taken = new Set(Object.keys(selector?.matchLabels ?? {}))
  const unlike = new Set(mismatchLabelKeys)
  return [
    ...labelKeysErrors(`${path}.matchLabelKeys`, matchLabelKeys, selector),
    ...labelKeysErrors(`${path}.mismatchLabelKeys`, mismatchLabelKeys, selector),
    ...(selector?.matchExpressions ?? []).flatMap(({ key = '' }) => {
      const isRepeated = taken.has(key)
      taken.add(key)
      const at = `${path}[${matchLabelKeys.lastIndexOf(key)}]`
      return errorIf(isRepeated && matchLabelKeys.includes(key), () =>
        invalidField(at, key, 'exists in both matchLabelKeys and labelSelector'),
      )
    }),
    ...matchLabelKeys.flatMap((key, index) =>
      errorIf(unlike.has(key), () =>
        invalidField(
          `${path}.matchLabelKeys[${index}]`,
          key,
          'exists in both matchLabelKeys and mismatchLabelKeys',
        ),
      ),
    ),
  ]
}

function labelKeysErrors(
  path: string,
  keys: readonly string[] = [],
  selector: unknown,
): FieldError[] {
  if (keys.length === 0) return []
  const missing = 'must not be specified when labelSelector is not set'
  if (selector === undefined) return [forbiddenField(path, missing)]
  return keys.flatMap((key, index) =>
    labelKeyErrors(key).map((text) => invalidField(`${path}[${index}]`, key, text)),
  )
}

function spreadKeyErrors(path: string, key: string): FieldError[] {
  return key === '' ? [requiredField(path, 'can not be empty')] : []
}

const actions = ['DoNotSchedule', 'ScheduleAnyway']
const policies = ['Honor', 'Ignore']

export function spreadErrors(
  path: string,
  constraints: readonly TopologySpreadConstraint[],
): FieldError[] {
  const pairs = constraints.map(({ topologyKey = '', whenUnsatisfiable = '' }) =>
    [topologyKey, whenUnsatisfiable].join(', '),
  )
  // Equal constraints are all reported except the last one.
  const isRepeat = repeats([...pairs].reverse()).reverse()
  return constraints.flatMap((one, index) => {
    const at = `${path}[${index}]`
    const { maxSkew = 0, minDomains, whenUnsatisfiable: action = '', labelSelector } = one
    const pair = pairs[index] ?? ''
    return [
      ...(maxSkew > 0 ? [] : [invalidField(`${at}.maxSkew`, maxSkew, 'must be greater than zero')]),
      ...spreadKeyErrors(`${at}.topologyKey`, one.topologyKey ?? ''),
      ...oneOf(`${at}.whenUnsatisfiable`, action, actions),
      ...(isRepeat[index] === true
        ? [duplicatePair(`${at}.{topologyKey, whenUnsatisfiable}`, pair)]
        : []),
      ...(minDomains === undefined ? [] : domainErrors(`${at}.minDomains`, minDomains, action)),
      ...optionalChoice(`${at}.nodeAffinityPolicy`, one.nodeAffinityPolicy, policies),
      ...optionalChoice(`${at}.nodeTaintsPolicy`, one.nodeTaintsPolicy, policies),
      ...ownLabelErrors(at, one),
      ...(labelSelector ? selectorErrors(`${at}.labelSelector`, labelSelector) : []),
    ]
  })
}

function duplicatePair(field: string, pair: string): FieldError {
  return { reason: 'FieldValueDuplicate', field, message: `Duplicate value: "{${pair}}"` }
}

function domainErrors(path: string, count: number, action: string): FieldError[] {
  const detail = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${action}`
  return [
    ...(count > 0 ? [] : [invalidField(path, count, 'must be greater than zero')]),
    ...(action === 'DoNotSchedule' ? [] : [invalidField(path, count, detail)]),
  ]
}
