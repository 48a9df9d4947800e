import {
  duplicateField,
  forbiddenField,
  invalidField,
  requiredField,
  type FieldError,
} from '../../../../meta/fieldErrors.ts'
import { goQuote } from '../../../../meta/goQuote.ts'
import { labelErrors, subdomainErrors } from '../../../../meta/names/nameValidation.ts'
import { errorIf, named } from '../../../fieldChecks.ts'
import type { Volume } from '../../shapes/coreV1.ts'
import { otherVolumeSources } from './otherVolumeSources.ts'
import { volumeSources, type SourceRules } from './volumeSources.ts'

/** Order of volume sources: if there are several, the first one is reported. */
const order: readonly (keyof Volume)[] = [
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
  'quobyte',
  'downwardAPI',
  'fc',
  'flexVolume',
  'configMap',
  'azureFile',
  'vsphereVolume',
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

const createdText = 'must not reference a PVC that gets created for an ephemeral volume'

/**
 * Errors for the volumes of a pod: unique names, and one source each. `podName`: name of an
 * existing pod, from which its claim names are derived. Source: Kubernetes API reference, Volume
 * v1; seen on kube-apiserver 1.37.2.
 */
export function volumeErrors(
  path: string,
  volumes: readonly Volume[],
  podName = '',
): { errors: FieldError[]; valid: Volume[] } {
  const valid: Volume[] = []
  const taken = new Set<string>()
  const made = new Set(
    volumes
      .filter(({ ephemeral }) => podName !== '' && ephemeral !== undefined)
      .map(({ name = '' }) => `${podName}-${name}`),
  )
  const errors = volumes.flatMap((volume, index) => {
    const { name = '' } = volume
    const at = `${path}[${index}]`
    const wrong = [
      ...sourceErrors(at, volume, podName),
      ...named(`${at}.name`, name, labelErrors),
      ...errorIf(taken.has(name), () => duplicateField(`${at}.name`, name)),
    ]
    if (wrong.length === 0) {
      valid.push(volume)
      taken.add(name)
    }
    const claim = claimNameOf(volume)
    const field = `${at}.persistentVolumeClaim.claimName`
    return [...wrong, ...errorIf(made.has(claim), () => invalidField(field, claim, createdText))]
  })
  return { errors, valid }
}

function claimNameOf(volume: Volume): string {
  return volume.persistentVolumeClaim?.claimName ?? ''
}

function sourceErrors(path: string, volume: Volume, podName: string): FieldError[] {
  const [first, ...others] = order.filter((name) => volume[name] !== undefined)
  if (first === undefined) return [requiredField(path, 'must specify a volume type')]
  return [
    ...(rules[first]?.(`${path}.${shownNames[first]?.[0] ?? first}`, volume[first]) ?? []),
    ...(first === 'ephemeral' ? madeClaimErrors(path, volume.name ?? '', podName) : []),
    ...others.map((name) =>
      forbiddenField(
        `${path}.${shownNames[name]?.[1] ?? name}`,
        'may not specify more than 1 volume type',
      ),
    ),
    ...initiatorErrors(path, volume),
  ]
}

const maxInitiatorName = 64
const initiatorText =
  'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.'

function initiatorErrors(path: string, { name = '', iscsi }: Volume): FieldError[] {
  const { initiatorName, targetPortal = '' } = iscsi ?? {}
  const isLong = Buffer.byteLength(`${name}:${targetPortal}`) > maxInitiatorName
  return errorIf(initiatorName !== undefined && isLong, () =>
    invalidField(`${path}.name`, name, initiatorText),
  )
}

function madeClaimErrors(path: string, name: string, podName: string): FieldError[] {
  if (podName === '' || name === '') return []
  const claim = `${podName}-${name}`
  return subdomainErrors(claim).map((text) =>
    invalidField(`${path}.name`, name, `PVC name ${goQuote(claim)}: ${text}`),
  )
}

/**
 * Names of some sources in paths, as in kube-apiserver: in the source's own rules, and in the error
 * about several sources.
 */
const shownNames: Readonly<Record<string, readonly [own: string, surplus: string]>> = {
  gcePersistentDisk: ['persistentDisk', 'gcePersistentDisk'],
  cephfs: ['cephfs', 'cephFS'],
  downwardAPI: ['downwardAPI', 'downwarAPI'],
}
