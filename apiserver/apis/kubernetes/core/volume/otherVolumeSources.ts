import {
  invalidField,
  notSupportedField,
  requiredField,
  type FieldError,
} from '../../../../meta/fieldErrors.ts'
import { labelErrors } from '../../../../meta/names/nameValidation.ts'
import { between, given, givenList, named, oneOf, optionalName } from '../../../fieldChecks.ts'
import type {
  AzureDiskVolumeSource,
  ISCSIVolumeSource,
  LocalObjectReference,
  QuobyteVolumeSource,
} from '../../shapes/coreV1.ts'
import { needing, rulesOf, type SourceRules } from './volumeSources.ts'

const bytes = [0, 255] as const

/**
 * Rules for volume sources of particular storage systems. Source: Kubernetes API reference, Volume
 * v1; observed answers.
 */
export const otherVolumeSources: Readonly<Record<string, SourceRules>> = {
  gcePersistentDisk: rulesOf<{ pdName?: string; partition?: number }>((path, source) => [
    ...given(`${path}.pdName`, source.pdName),
    ...partitionErrors(`${path}.partition`, source.partition),
  ]),
  awsElasticBlockStore: rulesOf<{ volumeID?: string; partition?: number }>((path, source) => [
    ...given(`${path}.volumeID`, source.volumeID),
    ...partitionErrors(`${path}.partition`, source.partition),
  ]),
  iscsi: rulesOf<ISCSIVolumeSource>((path, source) => iscsiErrors(path, source)),
  glusterfs: needing('endpoints', 'path'),
  flocker: rulesOf<{ datasetName?: string; datasetUUID?: string }>((path, source) => {
    const { datasetName: name = '', datasetUUID: uuid = '' } = source
    if (name === '' && uuid === '') {
      return [requiredField(path, 'one of datasetName and datasetUUID is required')]
    }
    const both = 'datasetName and datasetUUID can not be specified simultaneously'
    return [
      ...(name !== '' && uuid !== '' ? [invalidField(path, 'resource', both)] : []),
      ...(name.includes('/')
        ? [invalidField(`${path}.datasetName`, name, "must not contain '/'")]
        : []),
    ]
  }),
  rbd: rulesOf<{ monitors?: string[] | null; image?: string }>((path, { monitors, image }) => [
    ...givenList(`${path}.monitors`, monitors),
    ...given(`${path}.image`, image),
  ]),
  cinder: rulesOf<{ volumeID?: string; secretRef?: LocalObjectReference }>((path, source) => [
    ...given(`${path}.volumeID`, source.volumeID),
    ...(source.secretRef ? given(`${path}.secretRef.name`, source.secretRef.name) : []),
  ]),
  cephfs: rulesOf<{ monitors?: string[] | null }>((path, { monitors }) =>
    givenList(`${path}.monitors`, monitors),
  ),
  fc: rulesOf<{ targetWWNs?: string[]; wwids?: string[]; lun?: number }>((path, source) =>
    channelErrors(path, source),
  ),
  azureFile: needing('secretName', 'shareName'),
  flexVolume: needing('driver'),
  vsphereVolume: needing('volumePath'),
  quobyte: rulesOf<QuobyteVolumeSource>((path, source) => [
    ...registryErrors(path, source),
    ...given(`${path}.volume`, source.volume),
  ]),
  photonPersistentDisk: needing('pdID'),
  portworxVolume: needing('volumeID'),
  azureDisk: rulesOf<AzureDiskVolumeSource>((path, source) => azureErrors(path, source)),
  storageos: rulesOf<{
    volumeName?: string
    volumeNamespace?: string
    secretRef?: LocalObjectReference
  }>((path, source) => [
    ...named(`${path}.volumeName`, source.volumeName, labelErrors),
    ...optionalName(`${path}.volumeNamespace`, source.volumeNamespace, labelErrors),
    ...(source.secretRef ? given(`${path}.secretRef.name`, source.secretRef.name) : []),
  ]),
  scaleIO: needing('gateway', 'system', 'volumeName'),
}

/**
 * Errors for a partition. Zero means the whole disk and is valid, although the message says that
 * partitions start at one.
 */
function partitionErrors(path: string, partition = 0): FieldError[] {
  return partition === 0 ? [] : between(path, partition, [1, 255])
}

function iscsiErrors(path: string, source: ISCSIVolumeSource): FieldError[] {
  const { iqn = '', lun, secretRef, initiatorName: initiator } = source
  const needsSecret = source.chapAuthDiscovery === true || source.chapAuthSession === true
  return [
    ...given(`${path}.targetPortal`, source.targetPortal),
    ...(iqn === '' ? [requiredField(`${path}.iqn`)] : initiatorErrors(`${path}.iqn`, iqn)),
    ...between(`${path}.lun`, lun, bytes),
    ...(needsSecret && secretRef === undefined ? [requiredField(`${path}.secretRef`)] : []),
    ...(initiator === undefined ? [] : initiatorErrors(`${path}.initiatorname`, initiator)),
  ]
}

const initiatorForms: Readonly<Record<string, RegExp>> = {
  iqn: /^iqn\.\d{4}-\d{2}\.[A-Za-z0-9.-]+(:[^,;*&$|\s]+)$/,
  eui: /^eui.[A-Za-z0-9]{16}$/,
  naa: /^naa.[A-Za-z0-9]{32}$/,
}

function initiatorErrors(path: string, name: string): FieldError[] {
  const form = initiatorForms[name.slice(0, 3)]
  if (form === undefined) {
    return [invalidField(path, name, 'must be valid format starting with iqn, eui, or naa')]
  }
  return form.test(name) ? [] : [invalidField(path, name, 'must be valid format')]
}

function channelErrors(
  path: string,
  {
    targetWWNs: names = [],
    wwids = [],
    lun,
  }: { targetWWNs?: string[]; wwids?: string[]; lun?: number },
): FieldError[] {
  const at = `${path}.targetWWNs`
  if (names.length === 0 && wwids.length === 0) {
    return [requiredField(at, 'must specify either targetWWNs or wwids, but not both')]
  }
  const both = 'targetWWNs and wwids can not be specified simultaneously'
  const errors = names.length > 0 && wwids.length > 0 ? [invalidField(at, names, both)] : []
  if (names.length === 0) return errors
  const missing = 'lun is required if targetWWNs is specified'
  return lun === undefined
    ? [...errors, requiredField(`${path}.lun`, missing)]
    : [...errors, ...between(`${path}.lun`, lun, bytes)]
}

const registryText = 'must be a host:port pair or multiple pairs separated by commas'

function registryErrors(
  path: string,
  { registry = '', tenant = '' }: QuobyteVolumeSource,
): FieldError[] {
  const at = `${path}.registry`
  if (registry === '') return [requiredField(at, registryText)]
  if (Buffer.byteLength(tenant) >= 65) {
    const detail = 'must be a UUID and may not exceed a length of 64 characters'
    return [requiredField(`${path}.tenant`, detail)]
  }
  return registry
    .split(',')
    .filter((pair) => !/^([^:[\]]*|\[[^[\]]*\]):[^:]*$/.test(pair))
    .map(() => invalidField(at, registry, registryText))
}

const managedForm =
  '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}'
const blobForm = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd'

function azureErrors(
  path: string,
  { diskName, diskURI = '', cachingMode, kind }: AzureDiskVolumeSource,
): FieldError[] {
  const isManaged = kind === 'Managed'
  const isFitting = diskURI.startsWith(isManaged ? '/subscriptions/' : 'https://')
  return [
    ...given(`${path}.diskName`, diskName),
    ...given(`${path}.diskURI`, diskURI),
    ...oneOf(`${path}.cachingMode`, cachingMode, ['None', 'ReadOnly', 'ReadWrite']),
    ...oneOf(`${path}.kind`, kind, ['Dedicated', 'Managed', 'Shared']),
    ...(isFitting
      ? []
      : [notSupportedField(`${path}.diskURI`, diskURI, [isManaged ? managedForm : blobForm])]),
  ]
}
