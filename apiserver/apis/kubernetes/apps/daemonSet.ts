import { parseInt64 } from '../../../meta/json/integers.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../../registry/table.ts'
import { builtInKind, statusSubresource, type KindContext } from '../builtInKind.ts'
import { cellColumn, countColumn } from '../../columns.ts'
import { setPodSpecDefaults } from '../core/pod/podDefaults.ts'
import { isSame } from '../../fieldChecks.ts'
import { fill, fillMissing } from '../../fill.ts'
import { selectorText } from '../labelSelection.ts'
import { integerAnnotationProblem, withoutAnnotations } from '../internalFields.ts'
import {
  changeErrors,
  daemonSetErrors,
  daemonSetSpec as specOf,
  statusErrors,
} from './daemonSetRules.ts'
import { warnsOfTemplate } from './templateRules.ts'
import { podSpecIn } from './workload.ts'
import { templateColumns } from './workloadColumns.ts'

/** Definition of the DaemonSet kind, which is only stored. Source: Kubernetes API reference, DaemonSet v1. */
export function daemonSetResource({ types }: KindContext): ResourceDefinition {
  return builtInKind(types, {
    group: 'apps',
    version: 'v1',
    plural: 'daemonsets',
    kind: 'DaemonSet',
    namespaced: true,
    shortNames: ['ds'],
    categories: ['all'],
    description: 'DaemonSet runs a pod on every node.',
    strategy: {
      metadata: { namesOnCreate: true },
      generation: 'spec',
      setDefaults,
      prepareForCreate: (object) => {
        setTemplateGeneration(
          object,
          templateGeneration(object) > 0n ? templateGeneration(object) : 1n,
        )
      },
      prepareForUpdate: countTemplates,
      validate: daemonSetErrors,
      ...warnsOfTemplate('spec.template'),
      validateUpdate: changeErrors,
    },
    subresources: [statusSubresource(statusErrors, { prepareForUpdate: countTemplates })],
    conversionProblem: (body) => integerAnnotationProblem(body, generationAnnotation),
    internalMetadata: withoutAnnotations([generationAnnotation]),
    columns: [
      nameColumn,
      countColumn(
        'Desired',
        'status.desiredNumberScheduled',
        'Number of nodes that should run a pod.',
      ),
      countColumn('Current', 'status.currentNumberScheduled', 'Number of nodes that run a pod.'),
      countColumn('Ready', 'status.numberReady', 'Number of nodes with a ready pod.'),
      countColumn(
        'Up-to-date',
        'status.updatedNumberScheduled',
        'Number of pods created from the current template.',
      ),
      countColumn(
        'Available',
        'status.numberAvailable',
        'Number of pods that have been ready for the minimum time.',
      ),
      cellColumn('Node Selector', 'Node labels that pods require.', (object) => {
        const { nodeSelector } = podSpecIn(specOf({ ...object }).template)
        return selectorText(nodeSelector && { matchLabels: nodeSelector })
      }),
      ageColumn,
      ...templateColumns,
    ],
  })
}

function setDefaults(object: ApiObject): void {
  const spec = specOf(object)
  fill(spec, { revisionHistoryLimit: 10 })
  setPodSpecDefaults(podSpecIn(spec.template))
  // The user who creates the object owns the annotation.
  if (object.metadata.annotations?.[generationAnnotation] === undefined) {
    setTemplateGeneration(object, 0n)
  }
  const strategy = (spec.updateStrategy ??= {})
  fill(strategy, { type: 'RollingUpdate' })
  if (strategy.type === 'RollingUpdate') strategy.rollingUpdate ??= {}
  if (strategy.rollingUpdate === undefined) return
  const maxUnavailable = strategy.type === 'RollingUpdate' ? 1 : 0
  fillMissing(strategy.rollingUpdate, { maxUnavailable, maxSurge: 0 })
}

const generationAnnotation = 'deprecated.daemonset.template.generation'

function setTemplateGeneration(object: ApiObject, count: bigint): void {
  const { annotations } = object.metadata
  object.metadata.annotations = { ...annotations, [generationAnnotation]: String(count) }
}

function templateGeneration({ metadata: { annotations } }: ApiObject): bigint {
  return parseInt64(annotations?.[generationAnnotation] ?? '') ?? 0n
}

/** Increments the template generation, an annotation that the server maintains. */
function countTemplates(next: ApiObject, old: ApiObject): void {
  const count = templateGeneration(old)
  const isOther = !isSame(specOf(next).template, specOf({ ...old }).template)
  setTemplateGeneration(next, count + (isOther ? 1n : 0n))
}
