import { isObject } from '../../../meta/json/isObject.ts'

type Fields = Record<string, unknown>

/**
 * Annotations of autoscaling/v1 for fields that it lacks: metrics in the format of the version before v2, and behavior
 * with the field names of the server's internal type. Source: observed annotations.
 */

const sourceFields = ['object', 'pods', 'resource', 'containerResource', 'external'] as const
type SourceField = (typeof sourceFields)[number]

const fieldsOf = (value: unknown): Fields => (isObject(value) ? value : {})

/** A copy without undefined members. */
function given(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

/** Converts the source of a metric, in whichever field it is; the type is unchanged. */
function withSource(metric: unknown, convert: (field: SourceField, source: Fields) => Fields) {
  const { type, ...sources } = fieldsOf(metric)
  const present = sourceFields.filter((field) => isObject(sources[field]))
  const converted = present.map((field) => [field, convert(field, fieldsOf(sources[field]))])
  return { type, ...(Object.fromEntries(converted) as Fields) }
}

/** Metric of a spec, in the old format. */
export function oldMetric(metric: unknown): Fields {
  return withSource(metric, (field, source) => {
    const { value, averageValue, averageUtilization } = fieldsOf(source['target'])
    const { name, selector } = fieldsOf(source['metric'])
    switch (field) {
      case 'object':
        return given({
          target: source['describedObject'],
          metricName: name,
          targetValue: value ?? '0',
          selector,
          averageValue,
        })
      case 'pods':
        return given({ metricName: name, targetAverageValue: averageValue ?? '0', selector })
      case 'external':
        return given({
          metricName: name,
          metricSelector: selector,
          targetValue: value,
          targetAverageValue: averageValue,
        })
      case 'resource':
      case 'containerResource':
        return given({
          name: source['name'],
          targetAverageUtilization: averageUtilization,
          targetAverageValue: averageValue,
          container: source['container'],
        })
    }
  })
}

export function newMetric(metric: unknown): Fields {
  return withSource(metric, (field, source) => {
    const { averageValue, targetAverageValue, targetValue, targetAverageUtilization } = source
    const named = {
      metric: given({
        name: source['metricName'],
        selector: source['selector'] ?? source['metricSelector'],
      }),
    }
    switch (field) {
      case 'object':
        return {
          describedObject: source['target'],
          target: given({ type: kindOfTarget(averageValue), value: targetValue, averageValue }),
          ...named,
        }
      case 'pods':
        return { ...named, target: { type: 'AverageValue', averageValue: targetAverageValue } }
      case 'external':
        return {
          ...named,
          target: given({
            type: targetValue === undefined ? 'AverageValue' : 'Value',
            value: targetValue,
            averageValue: targetAverageValue,
          }),
        }
      case 'resource':
      case 'containerResource':
        return given({
          name: source['name'],
          target: given({
            type: targetAverageUtilization === undefined ? 'AverageValue' : 'Utilization',
            averageValue: targetAverageValue,
            averageUtilization: targetAverageUtilization,
          }),
          container: source['container'],
        })
    }
  })
}

function kindOfTarget(averageValue: unknown): string {
  return averageValue === undefined ? 'Value' : 'AverageValue'
}

/** Metric of a status, in the old format. */
export function oldCurrentMetric(metric: unknown): Fields {
  return withSource(metric, (field, source) => {
    const { value, averageValue, averageUtilization } = fieldsOf(source['current'])
    const { name, selector } = fieldsOf(source['metric'])
    switch (field) {
      case 'object':
        return given({
          target: source['describedObject'],
          metricName: name,
          currentValue: value ?? '0',
          selector,
          averageValue,
        })
      case 'pods':
        return given({ metricName: name, currentAverageValue: averageValue ?? '0', selector })
      case 'external':
        return given({
          metricName: name,
          metricSelector: selector,
          currentValue: value ?? '0',
          currentAverageValue: averageValue,
        })
      case 'resource':
      case 'containerResource':
        return given({
          name: source['name'],
          currentAverageUtilization: averageUtilization,
          currentAverageValue: averageValue ?? '0',
          container: source['container'],
        })
    }
  })
}

export function newCurrentMetric(metric: unknown): Fields {
  return withSource(metric, (field, source) => {
    const current = given({
      value: source['currentValue'],
      averageValue: source['averageValue'] ?? source['currentAverageValue'],
      averageUtilization: source['currentAverageUtilization'],
    })
    if (field === 'resource' || field === 'containerResource') {
      return given({ name: source['name'], current, container: source['container'] })
    }
    return given({
      metric: given({
        name: source['metricName'],
        selector: source['selector'] ?? source['metricSelector'],
      }),
      current,
      describedObject: source['target'],
    })
  })
}

const ruleFields = ['StabilizationWindowSeconds', 'SelectPolicy', 'Policies', 'Tolerance']

/** Behavior in the old format: absent fields are null. */
export function oldBehavior(behavior: unknown): Fields {
  const { scaleUp, scaleDown } = fieldsOf(behavior)
  const rules = (value: unknown) =>
    isObject(value)
      ? Object.fromEntries(
          ruleFields.map((name) => [name, capitalized(value[small(name)] ?? null)]),
        )
      : null
  return { ScaleUp: rules(scaleUp), ScaleDown: rules(scaleDown) }
}

/** Behavior in the new format. The first letter of a name may have either case, as in the Go decoder. */
export function newBehavior(behavior: unknown): unknown {
  if (Array.isArray(behavior)) return behavior.map(newBehavior)
  if (!isObject(behavior)) return behavior
  const members = Object.entries(behavior).filter(([, value]) => value !== null)
  return Object.fromEntries(members.map(([name, value]) => [small(name), newBehavior(value)]))
}

function capitalized(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(capitalized)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`,
      one,
    ]),
  )
}

function small(name: string): string {
  return `${name.slice(0, 1).toLowerCase()}${name.slice(1)}`
}
