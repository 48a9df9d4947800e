import { parseInt64 } from '../../../meta/json/integers.ts'
import type { ApiObject, ObjectMeta } from '../../../meta/types.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../../registry/table.ts'
import { scaleSubresource } from '../autoscaling/scale.ts'
import { builtInKind, statusSubresource, type KindContext } from '../builtInKind.ts'
import { asText, countColumn } from '../../columns.ts'
import { setPodSpecDefaults } from '../core/pod/podDefaults.ts'
import { fill, fillMissing } from '../../fill.ts'
import { integerAnnotationProblem, withoutAnnotations } from '../internalFields.ts'
import { selectorText } from '../labelSelection.ts'
import { deploymentErrors, deploymentSpec as specOf, statusErrors } from './deploymentRules.ts'
import { podNameWarnings, warnsOfTemplate } from './templateRules.ts'
import { podSpecIn } from './workload.ts'
import { readyColumn, templateColumns } from './workloadColumns.ts'
import { fixedSelector } from './workloadRules.ts'

/** Definition of the Deployment kind, which is only stored. Source: Kubernetes API reference, Deployment v1. */
export function deploymentResource(context: KindContext): ResourceDefinition {
  const place = { group: 'apps', plural: 'deployments' }
  return builtInKind(context.types, {
    ...place,
    version: 'v1',
    kind: 'Deployment',
    namespaced: true,
    shortNames: ['deploy'],
    categories: ['all'],
    description:
      'Deployment keeps pods running and replaces them gradually when their template changes.',
    strategy: {
      metadata: { namesOnCreate: true },
      generation: 'specAndAnnotations',
      setDefaults,
      validate: deploymentErrors,
      ...warnsOfTemplate('spec.template', { before: podNameWarnings }),
      validateUpdate: (next, old) => [
        ...deploymentErrors(next),
        ...fixedSelector(specOf(next), specOf(old)),
      ],
    },
    subresources: [
      statusSubresource(statusErrors, {
        resets: [['f:metadata', 'f:labels']],
        prepareForUpdate: keepLabels,
      }),
      scaleSubresource(context, {
        ...place,
        selector: (object) => selectorText(specOf(object).selector),
      }),
    ],
    conversionProblem: rollbackProblem,
    internalMetadata: withoutAnnotations([rollbackAnnotation]),
    columns: [
      nameColumn,
      readyColumn,
      asText(
        countColumn(
          'Up-to-date',
          'status.updatedReplicas',
          'Number of replicas created from the current template.',
        ),
      ),
      asText(
        countColumn(
          'Available',
          'status.availableReplicas',
          'Number of replicas that have been ready for the minimum time.',
        ),
      ),
      ageColumn,
      ...templateColumns,
    ],
  })
}

const rollbackAnnotation = 'deprecated.deployment.rollback.to'

/** Problem with the revision to roll back to, which the server only stores. */
function rollbackProblem(body: Readonly<Record<string, unknown>>): string | undefined {
  const { annotations } = (body['metadata'] ?? {}) as ObjectMeta
  const revision = annotations?.[rollbackAnnotation]
  if (revision === '') return undefined
  const problem = integerAnnotationProblem(body, rollbackAnnotation)
  return (
    problem && `failed to parse annotation[${rollbackAnnotation}]=${revision} as int64: ${problem}`
  )
}

/** Writes the revision to roll back to in the form of the real server, where it is a number. */
function setRollback({ metadata: { annotations } }: ApiObject): void {
  const revision = annotations?.[rollbackAnnotation]
  if (annotations === undefined || revision === undefined) return
  if (revision === '') delete annotations[rollbackAnnotation]
  else annotations[rollbackAnnotation] = String(parseInt64(revision) ?? revision)
}

/** Keeps the labels, which controllers would revert when they write the status from an older copy. */
function keepLabels({ metadata }: ApiObject, { metadata: { labels } }: ApiObject): void {
  delete metadata.labels
  if (labels !== undefined) metadata.labels = { ...labels }
}

function setDefaults(object: ApiObject): void {
  setRollback(object)
  const spec = specOf(object)
  fill(spec, { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 })
  setPodSpecDefaults(podSpecIn(spec.template))
  const strategy = (spec.strategy ??= {})
  fill(strategy, { type: 'RollingUpdate' })
  if (strategy.type !== 'RollingUpdate') return
  strategy.rollingUpdate ??= {}
  fillMissing(strategy.rollingUpdate, { maxUnavailable: '25%', maxSurge: '25%' })
}
