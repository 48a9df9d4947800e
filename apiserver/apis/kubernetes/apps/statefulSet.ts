import type { ApiObject } from '../../../meta/types.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../../registry/table.ts'
import { scaleSubresource } from '../autoscaling/scale.ts'
import { builtInKind, statusSubresource, type KindContext } from '../builtInKind.ts'
import { setPodSpecDefaults } from '../core/pod/podDefaults.ts'
import { fill, fillMissing } from '../../fill.ts'
import { selectorText } from '../labelSelection.ts'
import type { PersistentVolumeClaim } from '../shapes/coreV1.ts'
import {
  changeErrors,
  statefulSetErrors,
  statefulSetSpec as specOf,
  statusErrors,
} from './statefulSetRules.ts'
import { fractionWarning } from '../core/quantityRules.ts'
import { warnsOfTemplate } from './templateRules.ts'
import { podSpecIn } from './workload.ts'
import { containersColumn, imagesColumn, readyColumn } from './workloadColumns.ts'

/** Definition of the StatefulSet kind, which is only stored. Source: Kubernetes API reference, StatefulSet v1. */
export function statefulSetResource(context: KindContext): ResourceDefinition {
  const place = { group: 'apps', plural: 'statefulsets' }
  return builtInKind(context.types, {
    ...place,
    version: 'v1',
    kind: 'StatefulSet',
    namespaced: true,
    shortNames: ['sts'],
    categories: ['all'],
    description: 'StatefulSet keeps pods with stable names and storage running.',
    strategy: {
      metadata: { namesOnCreate: true },
      generation: 'spec',
      nameRule: 'label',
      setDefaults,
      validate: statefulSetErrors,
      ...warnsOfTemplate('spec.template', { after: ownWarnings }),
      validateUpdate: changeErrors,
    },
    subresources: [
      statusSubresource(statusErrors),
      scaleSubresource(context, {
        ...place,
        selector: (object) => selectorText(specOf(object).selector),
      }),
    ],
    columns: [nameColumn, readyColumn, ageColumn, containersColumn, imagesColumn],
  })
}

const historyText =
  'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended'

/**
 * Warnings about claims. As in kube-apiserver, the paths of their quantities differ between
 * creation and update.
 */
function ownWarnings(object: ApiObject, isNew: boolean): string[] {
  const { volumeClaimTemplates: claims = [], revisionHistoryLimit = 0 } = specOf(object)
  return [
    ...claims.flatMap(({ spec = {} }, index) => {
      const path = `spec.volumeClaimTemplates[${index}]${isNew ? '' : '.Spec'}.resources`
      return (['requests', 'limits'] as const).flatMap((kind) =>
        fractionWarning(`${path}.${kind}[storage]`, spec.resources?.[kind]?.['storage']),
      )
    }),
    ...(revisionHistoryLimit < 0 ? [historyText] : []),
  ]
}

function setDefaults(object: ApiObject): void {
  const spec = specOf(object)
  fill(spec, { podManagementPolicy: 'OrderedReady', replicas: 1, revisionHistoryLimit: 10 })
  const strategy = (spec.updateStrategy ??= {})
  if ((strategy.type ?? '') === '') strategy.rollingUpdate ??= {}
  fill(strategy, { type: 'RollingUpdate' })
  const { rollingUpdate: rolling } = strategy
  if (strategy.type === 'RollingUpdate' && rolling !== undefined) {
    fillMissing(rolling, { partition: 0, maxUnavailable: 1 })
  }
  const retention = (spec.persistentVolumeClaimRetentionPolicy ??= {})
  fill(retention, { whenDeleted: 'Retain', whenScaled: 'Retain' })
  setPodSpecDefaults(podSpecIn(spec.template))
  for (const claim of spec.volumeClaimTemplates ?? []) setClaimDefaults(claim)
}

function setClaimDefaults(claim: PersistentVolumeClaim): void {
  // A template always has the kind of a claim, whatever the client sent.
  Object.assign(claim, { kind: 'PersistentVolumeClaim', apiVersion: 'v1' })
  fillMissing((claim.spec ??= {}), { volumeMode: 'Filesystem' })
  fill((claim.status ??= {}), { phase: 'Pending' })
}
