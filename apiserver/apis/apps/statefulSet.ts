import { forbiddenField, type FieldError } from '../../meta/fieldErrors.ts'
import type { ApiObject } from '../../meta/types.ts'
import type { ResourceDefinition } from '../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../registry/table.ts'
import { scaleSubresource } from '../autoscaling/scale.ts'
import { builtInKind, statusSubresource, type KindContext } from '../builtInKind.ts'
import { setPodSpecDefaults } from '../core/podDefaults.ts'
import { isSame, oneOf } from '../fieldChecks.ts'
import { fill } from '../fill.ts'
import { selectorText } from '../labelSelection.ts'
import { asWorkload, podSpecIn, type WorkloadSpec } from './workload.ts'
import { containersColumn, imagesColumn, readyColumn } from './workloadColumns.ts'
import { workloadErrors } from './workloadRules.ts'

interface StatefulSetSpec extends WorkloadSpec {
  podManagementPolicy?: string
  updateStrategy?: { type?: string; rollingUpdate?: { partition?: number } }
  persistentVolumeClaimRetentionPolicy?: { whenDeleted?: string; whenScaled?: string }
  volumeClaimTemplates?: ClaimTemplate[]
}

interface ClaimTemplate {
  kind?: string
  apiVersion?: string
  spec?: { volumeMode?: string }
  status?: { phase?: string }
}

/** Stored only. Source: Kubernetes API reference, StatefulSet v1. */
export function statefulSetResource(context: KindContext): ResourceDefinition {
  const place = { group: 'apps', plural: 'statefulsets' }
  return builtInKind(context.types, {
    ...place,
    version: 'v1',
    kind: 'StatefulSet',
    namespaced: true,
    shortNames: ['sts'],
    categories: ['all'],
    description: 'StatefulSet keeps pods with names and storage of their own running.',
    strategy: {
      generation: 'spec',
      setDefaults,
      validate: statefulSetErrors,
      validateUpdate: (next, old) => [...statefulSetErrors(next), ...changeErrors(next, old)],
    },
    subresources: [
      statusSubresource(),
      scaleSubresource(context, {
        ...place,
        selector: (object) => selectorText(specOf(object).selector),
      }),
    ],
    columns: [nameColumn, readyColumn, ageColumn, containersColumn, imagesColumn],
  })
}

function specOf(object: ApiObject): StatefulSetSpec {
  return asWorkload(object).spec
}

function setDefaults(object: ApiObject): void {
  const spec = specOf(object)
  fill(spec, { podManagementPolicy: 'OrderedReady', replicas: 1, revisionHistoryLimit: 10 })
  const strategy = (spec.updateStrategy ??= {})
  fill(strategy, { type: 'RollingUpdate' })
  if (strategy.type === 'RollingUpdate') {
    strategy.rollingUpdate ??= {}
    fill(strategy.rollingUpdate, { partition: 0 })
  }
  const retention = (spec.persistentVolumeClaimRetentionPolicy ??= {})
  fill(retention, { whenDeleted: 'Retain', whenScaled: 'Retain' })
  setPodSpecDefaults(podSpecIn(spec.template))
  for (const claim of spec.volumeClaimTemplates ?? []) setClaimDefaults(claim)
}

function setClaimDefaults(claim: ClaimTemplate): void {
  fill(claim, { kind: 'PersistentVolumeClaim', apiVersion: 'v1' })
  fill((claim.spec ??= {}), { volumeMode: 'Filesystem' })
  fill((claim.status ??= {}), { phase: 'Pending' })
}

function statefulSetErrors(object: ApiObject): FieldError[] {
  const spec = specOf(object)
  return [
    ...oneOf('spec.podManagementPolicy', spec.podManagementPolicy, ['OrderedReady', 'Parallel']),
    ...oneOf('spec.updateStrategy', spec.updateStrategy?.type, ['OnDelete', 'RollingUpdate']),
    ...workloadErrors(spec, 'statefulset'),
  ]
}

const changeable = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
]

function changeErrors(next: ApiObject, old: ApiObject): FieldError[] {
  const fixed = (object: ApiObject) =>
    Object.fromEntries(
      Object.entries(specOf(object)).filter(([name]) => !changeable.includes(name)),
    )
  if (isSame(fixed(next), fixed(old))) return []
  const detail =
    "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden"
  return [forbiddenField('spec', detail)]
}
