import type { ApiObject } from '../../../../meta/types.ts'
import type { NodeSelectorTerm } from '../pod/podTypes.ts'
import type { VolumeSpec } from './volumeSpecRules.ts'

const deprecatedSources: readonly (readonly [field: string, shown: string, why: string])[] = [
  ['cephfs', 'cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['photonPersistentDisk', 'photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['scaleIO', 'scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['storageos', 'storageOS', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['rbd', 'rbd', 'deprecated in v1.28, non-functional in v1.31+'],
]

const deprecatedNodeLabels: Readonly<Record<string, string>> = {
  'beta.kubernetes.io/arch': 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  'beta.kubernetes.io/os': 'deprecated since v1.14; use "kubernetes.io/os" instead',
  'failure-domain.beta.kubernetes.io/region':
    'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  'failure-domain.beta.kubernetes.io/zone':
    'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  'beta.kubernetes.io/instance-type':
    'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
  'app.kubernetes.io/created-by': 'deprecated since v1.9',
  'scheduler.alpha.kubernetes.io/preferAvoidPods':
    'deprecated since v1.22; use Taints and Tolerations instead',
  'node-role.kubernetes.io/master': 'use "node-role.kubernetes.io/control-plane" instead',
}

const deprecatedAnnotations: readonly (readonly [key: string, why: string])[] = [
  [
    'volume.beta.kubernetes.io/storage-class',
    'deprecated since v1.8; use "storageClassName" attribute instead',
  ],
  [
    'volume.beta.kubernetes.io/mount-options',
    'deprecated since v1.31; use "mountOptions" attribute instead',
  ],
]

const recycleText =
  'The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.'

/** Warnings of a volume of the cluster. Source: seen on kube-apiserver 1.37.2. */
export function persistentVolumeWarnings({ metadata }: ApiObject, spec: VolumeSpec): string[] {
  return [
    ...deprecatedAnnotations
      .filter(([key]) => metadata.annotations?.[key] !== undefined)
      .map(([key, why]) => `metadata.annotations[${key}]: ${why}`),
    ...(spec.persistentVolumeReclaimPolicy === 'Recycle'
      ? [`spec.persistentVolumeReclaimPolicy: ${recycleText}`]
      : []),
    ...(spec.nodeAffinity?.required?.nodeSelectorTerms ?? []).flatMap((term, index) =>
      termWarnings(`spec.nodeAffinity.required.nodeSelectorTerms[${index}]`, term),
    ),
    ...deprecatedSources
      .filter(([field]) => spec[field] !== undefined)
      .map(([, shown, why]) => `spec.${shown}: ${why}`),
  ]
}

function termWarnings(path: string, { matchExpressions }: NodeSelectorTerm): string[] {
  return (matchExpressions ?? []).flatMap(({ key = '' }, index) => {
    const why = deprecatedNodeLabels[key]
    return why === undefined ? [] : [`${path}.matchExpressions[${index}].key: ${key} is ${why}`]
  })
}
