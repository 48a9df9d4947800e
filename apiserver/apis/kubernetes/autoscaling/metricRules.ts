import {
  forbiddenField,
  invalidField,
  notSupportedField,
  requiredField,
  type FieldError,
} from '../../../meta/fieldErrors.ts'
import { labelErrors, labelKeyErrors } from '../../../meta/names/nameValidation.ts'
import { parseQuantity } from '../../../meta/quantity.ts'
import { pathSegment } from '../../fieldChecks.ts'
import type { Metric, MetricSource } from './metricsColumn.ts'
import { referenceErrors, type VersionRule } from './referenceRules.ts'

/** Types of metrics by field, in the order of validation. */
const sources = {
  object: objectErrors,
  external: externalErrors,
  pods: podsErrors,
  resource: resourceErrors,
  containerResource: containerErrors,
} as const

type SourceField = keyof typeof sources

const fieldOfType: Readonly<Record<string, SourceField>> = {
  ContainerResource: 'containerResource',
  External: 'external',
  Object: 'object',
  Pods: 'pods',
  Resource: 'resource',
}
const metricTypes = Object.keys(fieldOfType)

/**
 * Errors for a metric. Source: Kubernetes API reference, MetricSpec (autoscaling/v2); observed
 * answers.
 */
export function metricErrors(path: string, metric: Metric, versions: VersionRule): FieldError[] {
  const { type = '' } = metric
  const known = fieldOfType[type]
  const present = (Object.keys(sources) as SourceField[]).filter(
    (field) => metric[field] !== undefined,
  )
  const [first] = present
  const unknown = notSupportedField(`${path}.type`, type, metricTypes)
  const missing = 'must populate information for the given metric source'
  const surplus = present.length === 1 ? [] : present.filter((field) => field !== known)
  return [
    ...(type === '' ? [requiredField(`${path}.type`, 'must specify a metric source type')] : []),
    ...(known === undefined ? [unknown] : []),
    ...(first === undefined
      ? []
      : sources[first](`${path}.${first}`, metric[first] ?? {}, versions)),
    ...(known !== undefined && metric[known] === undefined
      ? [requiredField(`${path}.${known}`, missing)]
      : []),
    ...surplus.map((field) =>
      forbiddenField(`${path}.${field}`, 'must populate the given metric source only'),
    ),
  ]
}

function objectErrors(path: string, source: MetricSource, versions: VersionRule): FieldError[] {
  const { value, averageValue } = source.target ?? {}
  const detail = 'must set either a target value or averageValue'
  return [
    ...referenceErrors(`${path}.describedObject`, source.describedObject ?? {}, versions),
    ...measuredErrors(path, source),
    ...(value === undefined && averageValue === undefined
      ? [requiredField(`${path}.target.averageValue`, detail)]
      : []),
  ]
}

function externalErrors(path: string, source: MetricSource): FieldError[] {
  const { value, averageValue } = source.target ?? {}
  const errors = measuredErrors(path, source)
  if (value === undefined && averageValue === undefined) {
    const detail = 'must set either a target value for metric or a per-pod target'
    errors.push(requiredField(`${path}.target.averageValue`, detail))
  }
  if (value !== undefined && averageValue !== undefined) {
    const detail = 'may not set both a target value for metric and a per-pod target'
    errors.push(forbiddenField(`${path}.target.value`, detail))
  }
  return errors
}

function podsErrors(path: string, source: MetricSource): FieldError[] {
  const errors = measuredErrors(path, source)
  if (source.target?.averageValue !== undefined) return errors
  const detail = 'must specify a positive target averageValue'
  return [...errors, requiredField(`${path}.target.averageValue`, detail)]
}

function resourceErrors(path: string, source: MetricSource): FieldError[] {
  const { name = '' } = source
  const detail = 'must specify a resource name'
  return [
    ...(name === '' ? [requiredField(`${path}.name`, detail)] : []),
    ...usageErrors(path, source),
  ]
}

function containerErrors(path: string, source: MetricSource): FieldError[] {
  const { name = '', container = '' } = source
  return [
    ...resourceNameErrors(`${path}.name`, name),
    ...(container === ''
      ? [requiredField(`${path}.container`, 'must specify a container')]
      : labelErrors(container).map((text) => invalidField(`${path}.container`, container, text))),
    ...usageErrors(path, source),
  ]
}

const containerResources = /^(cpu|memory|ephemeral-storage|hugepages-.*)$/

function resourceNameErrors(path: string, name: string): FieldError[] {
  if (name === '') return [requiredField(path, 'must specify a resource name')]
  const errors = labelKeyErrors(name).map((text) => invalidField(path, name, text))
  if (name.includes('/') || containerResources.test(name)) return errors
  const unknown = invalidField(path, name, 'must be a standard resource type or fully qualified')
  const other = invalidField(path, name, 'must be a standard resource for containers')
  return errors.length > 0 ? [...errors, other] : [unknown, other]
}

/** Errors for an average utilization or value. */
function usageErrors(path: string, { target = {} }: MetricSource): FieldError[] {
  const { averageUtilization, averageValue } = target
  const errors = targetErrors(`${path}.target`, target)
  if (averageUtilization === undefined && averageValue === undefined) {
    const detail = 'must set either a target raw value or a target utilization'
    errors.push(requiredField(`${path}.target.averageUtilization`, detail))
  }
  if (averageUtilization !== undefined && averageValue !== undefined) {
    const detail = 'may not set both a target raw value and a target utilization'
    errors.push(forbiddenField(`${path}.target.averageValue`, detail))
  }
  return errors
}

function measuredErrors(path: string, { metric = {}, target = {} }: MetricSource): FieldError[] {
  return [
    ...pathSegment(`${path}.metric.name`, metric.name, 'must specify a metric name'),
    ...targetErrors(`${path}.target`, target),
  ]
}

function targetErrors(path: string, target: NonNullable<MetricSource['target']>): FieldError[] {
  const { type = '', averageUtilization: utilization } = target
  const isKnown = ['Utilization', 'Value', 'AverageValue'].includes(type)
  const detail = 'must be either Utilization, Value, or AverageValue'
  return [
    ...(type === '' ? [requiredField(`${path}.type`, 'must specify a metric target type')] : []),
    ...(isKnown ? [] : [invalidField(`${path}.type`, type, detail)]),
    ...quantityErrors(`${path}.value`, target.value),
    ...quantityErrors(`${path}.averageValue`, target.averageValue),
    ...(utilization !== undefined && utilization < 1
      ? [invalidField(`${path}.averageUtilization`, utilization, 'must be greater than 0')]
      : []),
  ]
}

function quantityErrors(path: string, quantity: string | undefined): FieldError[] {
  if (quantity === undefined || (parseQuantity(quantity)?.digits ?? 1n) > 0n) return []
  return [invalidField(path, quantity, 'must be positive')]
}
