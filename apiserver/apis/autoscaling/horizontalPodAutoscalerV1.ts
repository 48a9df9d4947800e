import type { ApiObject } from '../../meta/types.ts'
import type { ResourceDefinition } from '../../registry/resource.ts'
import { builtInKind, statusSubresource, type KindContext } from '../builtInKind.ts'
import { fill } from '../fill.ts'
import { autoscalerErrors, horizontalPodAutoscalerResource } from './horizontalPodAutoscaler.ts'
import type { Metric } from './metricsText.ts'

type Fields = Record<string, unknown>

/** Annotations that carry what the older version has no field for: where it stands, in the newer one. */
const prefix = 'autoscaling.alpha.kubernetes.io/'
const carried: readonly (readonly [annotation: string, part: 'spec' | 'status', field: string])[] =
  [
    [`${prefix}metrics`, 'spec', 'metrics'],
    [`${prefix}behavior`, 'spec', 'behavior'],
    [`${prefix}conditions`, 'status', 'conditions'],
    [`${prefix}current-metrics`, 'status', 'currentMetrics'],
  ]

/** The objects of autoscaling/v2 in the older form. Source: Kubernetes API reference, HorizontalPodAutoscaler v1. */
export function horizontalPodAutoscalerV1Resource(context: KindContext): ResourceDefinition {
  const newer = horizontalPodAutoscalerResource(context)
  const validate = (object: ApiObject) => autoscalerErrors(object)
  const columns = (newer.columns ?? []).map((column) => ({
    ...column,
    cell: (object: ApiObject, nowMs: number) => column.cell(toNewer(object), nowMs),
  }))
  return builtInKind(context.types, {
    group: 'autoscaling',
    version: 'v1',
    plural: newer.plural,
    kind: newer.kind,
    namespaced: true,
    shortNames: ['hpa'],
    categories: ['all'],
    description: 'HorizontalPodAutoscaler sets how many replicas a workload has.',
    strategy: {
      generation: 'none',
      setDefaults: (object) => {
        fill(partOf(object, 'spec'), { minReplicas: 1 })
      },
      validate,
      validateUpdate: validate,
    },
    subresources: [statusSubresource()],
    storedAs: { resource: newer, toStored: toNewer, fromStored: fromNewer },
    columns,
  })
}

function partOf(object: ApiObject, part: 'spec' | 'status'): Fields {
  object[part] ??= {}
  // The schema says that both are objects.
  return object[part] as Fields
}

function toNewer(object: ApiObject): ApiObject {
  const next = { ...structuredClone(object), apiVersion: 'autoscaling/v2' }
  const annotations = { ...next.metadata.annotations }
  for (const [name, part, field] of carried) {
    const text = annotations[name]
    const value = text === undefined ? undefined : parsed(text)
    if (value === undefined) continue
    partOf(next, part)[field] = value
    Reflect.deleteProperty(annotations, name)
  }
  next.metadata.annotations = annotations
  const { targetCPUUtilizationPercentage: target, ...spec } = partOf(next, 'spec')
  const metrics = Array.isArray(spec['metrics']) ? (spec['metrics'] as Metric[]) : []
  const wanted = target ?? (metrics.length === 0 ? usualTarget : undefined)
  const cpu = wanted === undefined ? [] : [cpuMetric(Number(wanted))]
  Object.assign(next, { spec: { ...spec, metrics: [...cpu, ...metrics] } })
  return next
}

const usualTarget = 80

function cpuMetric(averageUtilization: number): Metric {
  const target = { type: 'Utilization', averageUtilization }
  return { type: 'Resource', resource: { name: 'cpu', target } }
}

function fromNewer(object: ApiObject): ApiObject {
  const next = { ...structuredClone(object), apiVersion: 'autoscaling/v1' }
  const spec = partOf(next, 'spec')
  const metrics = Array.isArray(spec['metrics']) ? (spec['metrics'] as Metric[]) : []
  const cpu = metrics.find(isCpu)
  spec['metrics'] = metrics.filter((metric) => metric !== cpu)
  const annotations = { ...next.metadata.annotations }
  for (const [name, part, field] of carried) {
    const fields = partOf(next, part)
    if (hasContent(fields[field])) annotations[name] = JSON.stringify(fields[field])
    Reflect.deleteProperty(fields, field)
  }
  next.metadata.annotations = annotations
  const target = cpu?.resource?.target?.averageUtilization
  if (target !== undefined) spec['targetCPUUtilizationPercentage'] = target
  return next
}

function isCpu({ resource }: Metric): boolean {
  return resource?.name === 'cpu' && resource.target?.averageUtilization !== undefined
}

function hasContent(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null
}

/** What somebody else wrote there is left there. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
