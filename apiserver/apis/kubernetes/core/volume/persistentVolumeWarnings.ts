import type { ApiObject } from '../../../../meta/types.ts'
import type { PersistentVolumeSpec } from '../../shapes/coreV1.ts'
import { selectorWarnings } from '../node/deprecatedLabels.ts'
import { sourceWarnings } from './deprecatedSources.ts'

/** Deprecated sources of persistent volumes, in the order of their warnings. */
const deprecatedSources = [
  ...['cephfs', 'photonPersistentDisk', 'scaleIO', 'storageos', 'glusterfs', 'rbd'],
]

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

/** Warnings about a persistent volume. Source: seen on kube-apiserver 1.37.2. */
export function persistentVolumeWarnings(
  { metadata }: ApiObject,
  spec: PersistentVolumeSpec,
): string[] {
  return [
    ...deprecatedAnnotations
      .filter(([key]) => metadata.annotations?.[key] !== undefined)
      .map(([key, why]) => `metadata.annotations[${key}]: ${why}`),
    ...(spec.persistentVolumeReclaimPolicy === 'Recycle'
      ? [`spec.persistentVolumeReclaimPolicy: ${recycleText}`]
      : []),
    ...(spec.nodeAffinity?.required?.nodeSelectorTerms ?? []).flatMap((term, index) =>
      selectorWarnings(`spec.nodeAffinity.required.nodeSelectorTerms[${index}]`, term),
    ),
    ...sourceWarnings('spec', spec, deprecatedSources),
  ]
}
