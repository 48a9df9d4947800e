import type { CrossVersionObjectReference } from '../shapes/autoscalingV2.ts'

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
  describedObject?: CrossVersionObjectReference
  target?: MetricValue & { type?: string }
  current?: MetricValue
}

interface MetricValue {
  averageUtilization?: number
  averageValue?: string
  value?: string
}

const shown = 2

/** Current and target value of each metric. Source: observed kubectl output. */
export function targetsCell(wanted: readonly Metric[], current: readonly Metric[]): string {
  if (wanted.length === 0) return '<none>'
  const texts = wanted.map((metric, index) => metricText(metric, current[index]))
  const text = texts.slice(0, shown).join(', ')
  return texts.length > shown ? `${text} + ${texts.length - shown} more...` : text
}

type SourceText = (wanted: MetricSource, current: MetricSource | undefined) => string

/** Field with the data of a metric, and its string form, by metric type. */
const sources: Readonly<Record<string, [part: keyof Metric, text: SourceText]>> = {
  Resource: ['resource', resourceText],
  ContainerResource: ['containerResource', resourceText],
  Pods: ['pods', podsText],
  Object: ['object', valueText],
  External: ['external', valueText],
}

function metricText(wanted: Metric, current: Metric | undefined): string {
  const known = sources[wanted.type ?? '']
  if (known === undefined) return '<unknown type>'
  const [part, text] = known
  return text(sourceOf(wanted, part) ?? {}, current && sourceOf(current, part))
}

function sourceOf(metric: Metric, part: keyof Metric): MetricSource | undefined {
  const source = metric[part]
  return typeof source === 'object' ? source : undefined
}

function podsText({ target = {} }: MetricSource, current: MetricSource | undefined): string {
  return `${measuredText(current, 'averageValue')}/${nilText(target.averageValue)}`
}

function resourceText(
  { name, target = {} }: MetricSource,
  current: MetricSource | undefined,
): string {
  if (target.averageValue !== undefined)
    return `${name}: ${measuredText(current, 'averageValue')}/${target.averageValue}`
  const measured = percentText(current?.current?.averageUtilization) ?? unknown
  return `${name}: ${measured}/${percentText(target.averageUtilization) ?? '<auto>'}`
}

function valueText({ target = {} }: MetricSource, current: MetricSource | undefined): string {
  if (target.averageValue !== undefined)
    return `${current?.current?.averageValue ?? unknown}/${target.averageValue} (avg)`
  return `${measuredText(current, 'value')}/${nilText(target.value)}`
}

const unknown = '<unknown>'

/** Measured value. A missing value of a source is shown like Go's nil. */
function measuredText(source: MetricSource | undefined, of: 'averageValue' | 'value'): string {
  return source === undefined ? unknown : nilText(source.current?.[of])
}

function nilText(value: string | undefined): string {
  return value ?? '<nil>'
}

function percentText(value: number | undefined): string | undefined {
  return value === undefined ? undefined : `${value}%`
}
