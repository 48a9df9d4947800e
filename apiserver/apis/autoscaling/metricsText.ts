import type { ObjectReference } from './referenceRules.ts'

export interface Metric {
  type?: string
  resource?: MetricSource
  containerResource?: MetricSource
  pods?: MetricSource
  object?: MetricSource
  external?: MetricSource
}

export interface MetricSource {
  name?: string
  container?: string
  metric?: { name?: string }
  describedObject?: ObjectReference
  target?: MetricValue & { type?: string }
  current?: MetricValue
}

interface MetricValue {
  averageUtilization?: number
  averageValue?: string
  value?: string
}

const shown = 2

/** What is measured, of how much, for each metric. Source: observed kubectl output. */
export function targetsText(wanted: readonly Metric[], current: readonly Metric[]): string {
  if (wanted.length === 0) return '<none>'
  const texts = wanted.map((metric, index) => metricText(metric, current[index]))
  const text = texts.slice(0, shown).join(', ')
  return texts.length > shown ? `${text} + ${texts.length - shown} more...` : text
}

function metricText(wanted: Metric, current: Metric | undefined): string {
  const { name = '', target = {} } = sourceOf(wanted)
  const { current: measured } = sourceOf(current ?? {})
  const prefix = wanted.type === 'Resource' ? `${name}: ` : ''
  const text = `${valueText(measured)}/${valueText(target)}`
  const isAverage = wanted.type === 'Object' || wanted.type === 'External'
  return isAverage && target.averageValue !== undefined ? `${text} (avg)` : `${prefix}${text}`
}

function sourceOf(metric: Metric): MetricSource {
  const { resource, containerResource, pods, object, external } = metric
  return resource ?? containerResource ?? pods ?? object ?? external ?? {}
}

function valueText(value: MetricValue | undefined): string {
  const { averageUtilization, averageValue, value: plain } = value ?? {}
  if (averageUtilization !== undefined) return `${averageUtilization}%`
  return averageValue ?? plain ?? '<unknown>'
}
