import {
  duplicateField,
  forbiddenField,
  requiredField,
  type FieldError,
} from '../../../../meta/fieldErrors.ts'
import { labelErrors } from '../../../../meta/names/nameValidation.ts'
import { named } from '../../../fieldChecks.ts'
import { otherVolumeSources } from './otherVolumeSources.ts'
import type { Volume } from '../pod/podTypes.ts'
import { volumeSources, type SourceRules } from './volumeSources.ts'

/** Whoever has several is told of the first in this order. */
const order = [
  'emptyDir',
  'hostPath',
  'gitRepo',
  'gcePersistentDisk',
  'awsElasticBlockStore',
  'secret',
  'nfs',
  'iscsi',
  'glusterfs',
  'flocker',
  'persistentVolumeClaim',
  'rbd',
  'cinder',
  'cephfs',
  'downwardAPI',
  'fc',
  'azureFile',
  'configMap',
  'flexVolume',
  'vsphereVolume',
  'quobyte',
  'photonPersistentDisk',
  'portworxVolume',
  'azureDisk',
  'storageos',
  'projected',
  'scaleIO',
  'csi',
  'ephemeral',
  'image',
]
const rules: Readonly<Record<string, SourceRules>> = { ...volumeSources, ...otherVolumeSources }

/** The volumes of a pod: names once, and one source each. Source: Kubernetes API reference, Volume v1. */
export function volumeErrors(
  path: string,
  volumes: readonly Volume[],
): { errors: FieldError[]; valid: Volume[] } {
  const valid: Volume[] = []
  const taken = new Set<string>()
  const errors = volumes.flatMap((volume, index) => {
    const { name = '' } = volume
    const at = `${path}[${index}]`
    const wrong = [
      ...sourceErrors(at, volume),
      ...named(`${at}.name`, name, labelErrors),
      ...(taken.has(name) ? [duplicateField(`${at}.name`, name)] : []),
    ]
    if (wrong.length > 0) return wrong
    valid.push(volume)
    taken.add(name)
    return []
  })
  return { errors, valid }
}

function sourceErrors(path: string, volume: Volume): FieldError[] {
  const [first, ...others] = order.filter((name) => volume[name] !== undefined)
  if (first === undefined) return [requiredField(path, 'must specify a volume type')]
  return [
    ...(rules[first]?.(`${path}.${shown(first)}`, volume[first]) ?? []),
    ...others.map((name) =>
      forbiddenField(`${path}.${shown(name)}`, 'may not specify more than 1 volume type'),
    ),
  ]
}

/** The path names one of them by what it is called inside the library. */
function shown(name: string): string {
  return name === 'gcePersistentDisk' ? 'persistentDisk' : name
}
