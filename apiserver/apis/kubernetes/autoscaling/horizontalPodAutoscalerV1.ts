import { jsonText } from '../../../meta/json/exactJson.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import { builtInKind, statusSubresource, type KindContext } from '../builtInKind.ts'
import { fill } from '../../fill.ts'
import { withoutAnnotations } from '../internalFields.ts'
import type { HorizontalPodAutoscalerBehavior } from '../shapes/autoscalingV2.ts'
import { setBehaviorDefaults } from './behaviorDefaults.ts'
import {
  autoscalerRules,
  carriers,
  horizontalPodAutoscalerResource,
} from './horizontalPodAutoscaler.ts'
import type { Metric } from './metricsColumn.ts'
import {
  newBehavior,
  newCurrentMetric,
  newMetric,
  oldBehavior,
  oldCurrentMetric,
  oldMetric,
} from './oldMetrics.ts'

type Fields = Record<string, unknown>

/**
 * Field that the older version lacks and stores in an annotation: the annotation, the path in the newer version, and
 * the format.
 */
interface Carried {
  annotation: string
  part: 'spec' | 'status'
  field: string
  write: (value: unknown) => unknown
  read: (value: unknown) => unknown
}

const listed = (convert: (item: unknown) => unknown) => (value: unknown) =>
  Array.isArray(value) ? value.map(convert) : value
const asItIs = (value: unknown) => value

const carried: readonly Carried[] = [
  {
    annotation: carriers.metrics,
    part: 'spec',
    field: 'metrics',
    write: listed(oldMetric),
    read: listed(newMetric),
  },
  {
    annotation: carriers.behavior,
    part: 'spec',
    field: 'behavior',
    write: oldBehavior,
    read: newBehavior,
  },
  {
    annotation: carriers.conditions,
    part: 'status',
    field: 'conditions',
    write: asItIs,
    read: asItIs,
  },
  {
    annotation: carriers.currentMetrics,
    part: 'status',
    field: 'currentMetrics',
    write: listed(oldCurrentMetric),
    read: listed(newCurrentMetric),
  },
]

/** Objects of autoscaling/v2 in the older form. Source: Kubernetes API reference, HorizontalPodAutoscaler v1. */
export function horizontalPodAutoscalerV1Resource(context: KindContext): ResourceDefinition {
  const newer = horizontalPodAutoscalerResource(context)
  const { validate, validateUpdate, validateStatus } = autoscalerRules
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
    description: 'HorizontalPodAutoscaler adjusts the number of replicas of a workload.',
    strategy: {
      metadata: { namesOnCreate: true },
      generation: 'spec',
      setDefaults: (object) => {
        fill(partOf(object, 'spec'), { minReplicas: 1 })
      },
      // The usual target is an object of the newer version.
      prepareForUpdate: (next) => {
        next['spec'] = fromNewer(toNewer(next))['spec']
      },
      validate: (object) => validate(toNewer(object)),
      validateUpdate: (next, old) => validateUpdate(toNewer(next), toNewer(old)),
    },
    subresources: [statusSubresource(validateStatus)],
    storedAs: { resource: newer, toStored: toNewer, fromStored: fromNewer },
    columns,
    internalMetadata: withoutAnnotations(Object.values(carriers)),
  })
}

function partOf(object: ApiObject, part: 'spec' | 'status'): Fields {
  object[part] ??= {}
  // Guaranteed by the schema: both are objects.
  return object[part] as Fields
}

function toNewer(object: ApiObject): ApiObject {
  const next = { ...structuredClone(object), apiVersion: 'autoscaling/v2' }
  const annotations = { ...next.metadata.annotations }
  for (const { annotation, part, field, read } of carried) {
    const text = annotations[annotation]
    const value = text === undefined ? undefined : parsed(text)
    if (value === undefined) continue
    partOf(next, part)[field] = read(value)
    Reflect.deleteProperty(annotations, annotation)
  }
  next.metadata.annotations = annotations
  const { targetCPUUtilizationPercentage: target, ...spec } = partOf(next, 'spec')
  const metrics = metricsOf(spec['metrics'])
  const wanted = target ?? (metrics.length === 0 ? usualTarget : undefined)
  const cpu = wanted === undefined ? [] : [cpuMetric(Number(wanted))]
  Object.assign(next, { spec: { ...spec, metrics: [...metrics, ...cpu] } })
  const { behavior } = spec as { behavior?: HorizontalPodAutoscalerBehavior }
  if (behavior !== undefined) setBehaviorDefaults(behavior)
  setCurrentCpu(partOf(next, 'status'))
  return next
}

/** Sets the current CPU usage unless an annotation has it. */
function setCurrentCpu(status: Fields): void {
  const { currentCPUUtilizationPercentage: percentage } = status
  Reflect.deleteProperty(status, 'currentCPUUtilizationPercentage')
  if (percentage === undefined || status['currentMetrics'] !== undefined) return
  const resource = { name: 'cpu', current: { averageUtilization: percentage } }
  status['currentMetrics'] = [{ type: 'Resource', resource }]
}

const usualTarget = 80

function cpuMetric(averageUtilization: number): Metric {
  const target = { type: 'Utilization', averageUtilization }
  return { type: 'Resource', resource: { name: 'cpu', target } }
}

function fromNewer(object: ApiObject): ApiObject {
  const next = { ...structuredClone(object), apiVersion: 'autoscaling/v1' }
  const [spec, status] = [partOf(next, 'spec'), partOf(next, 'status')]
  const metrics = metricsOf(spec['metrics'])
  const target = metrics.find(isCpu)?.resource?.target?.averageUtilization
  const measured = metricsOf(status['currentMetrics']).find(
    ({ resource }) => resource?.name === 'cpu',
  )?.resource?.current?.averageUtilization
  spec['metrics'] = metrics.filter((metric) => !isCpu(metric))
  const annotations = { ...next.metadata.annotations }
  for (const { annotation, part, field, write } of carried) {
    const fields = partOf(next, part)
    if (hasContent(fields[field])) annotations[annotation] = jsonText(write(fields[field]))
    Reflect.deleteProperty(fields, field)
  }
  next.metadata.annotations = annotations
  if (target !== undefined) spec['targetCPUUtilizationPercentage'] = target
  if (measured !== undefined) status['currentCPUUtilizationPercentage'] = measured
  return next
}

function metricsOf(value: unknown): Metric[] {
  // Guaranteed by the schema.
  return Array.isArray(value) ? (value as Metric[]) : []
}

function isCpu({ resource }: Metric): boolean {
  return resource?.name === 'cpu' && resource.target?.averageUtilization !== undefined
}

function hasContent(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null
}

/** Parsed annotation; undefined if it is not JSON: values of other clients are ignored. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
