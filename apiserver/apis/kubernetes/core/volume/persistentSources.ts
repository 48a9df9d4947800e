import {
  invalidField,
  requiredField,
  tooLongField,
  type FieldError,
} from '../../../../meta/fieldErrors.ts'
import { labelErrors, subdomainErrors } from '../../../../meta/names/nameValidation.ts'
import {
  between,
  given,
  givenName,
  named,
  noBacksteps,
  optionalName,
} from '../../../fieldChecks.ts'
import type {
  CSIPersistentVolumeSource,
  ISCSIPersistentVolumeSource,
  SecretReference,
  StorageOSPersistentVolumeSource,
} from '../../shapes/coreV1.ts'
import { driverErrors, needing, rulesOf, type SourceRules } from './volumeSources.ts'

/**
 * Sources with more fields in a persistent volume than in a pod: references to secrets and other
 * objects include their namespaces. Source: Kubernetes API reference, PersistentVolume v1; seen on
 * kube-apiserver 1.37.2.
 */
export const persistentSources: Readonly<Record<string, SourceRules>> = {
  local: rulesOf<{ path?: string }>((path, { path: folder = '' }) =>
    folder === '' ? [requiredField(`${path}.path`)] : noBacksteps(`${path}.path`, folder),
  ),
  csi: rulesOf<CSIPersistentVolumeSource>(csiErrors),
  iscsi: rulesOf<ISCSIPersistentVolumeSource>(iscsiErrors),
  glusterfs: rulesOf<{ endpoints?: string; path?: string; endpointsNamespace?: string }>(
    (path, { endpoints, path: folder, endpointsNamespace: namespace }) => [
      ...given(`${path}.endpoints`, endpoints),
      ...given(`${path}.path`, folder),
      ...(namespace === '' ? [invalidField(`${path}.endpointsNamespace`, '', unsetText)] : []),
      ...optionalName(`${path}.endpointsNamespace`, namespace, labelErrors),
    ],
  ),
  cinder: rulesOf<{ volumeID?: string; secretRef?: SecretReference }>((path, source) => [
    ...given(`${path}.volumeID`, source.volumeID),
    ...(source.secretRef ? givenSecret(`${path}.secretRef`, source.secretRef) : []),
  ]),
  storageos: rulesOf<StorageOSPersistentVolumeSource>((path, source) => [
    ...named(`${path}.volumeName`, source.volumeName, labelErrors),
    ...optionalName(`${path}.volumeNamespace`, source.volumeNamespace, labelErrors),
    ...(source.secretRef ? givenSecret(`${path}.secretRef`, source.secretRef) : []),
  ]),
  azureFile: rulesOf<{ secretName?: string; shareName?: string; secretNamespace?: string }>(
    (path, source) => [
      ...needing('secretName', 'shareName')(path, source),
      ...(source.secretNamespace === '' ? [requiredField(`${path}.secretNamespace`)] : []),
    ],
  ),
  flexVolume: rulesOf<{ driver?: string; options?: Record<string, string> }>(
    (path, { driver, options = {} }) => [
      ...given(`${path}.driver`, driver),
      ...Object.keys(options)
        .filter(isReserved)
        .map((key) => invalidField(`${path}.options[${key}]`, key, reservedText)),
    ],
  ),
}

const unsetText = 'if the endpointnamespace is set, it must be a valid namespace name'
const reservedText = 'kubernetes.io and k8s.io namespaces are reserved'

function isReserved(key: string): boolean {
  const [namespace = ''] = key.split('/')
  return /\.(kubernetes|k8s)\.io$/.test(`.${namespace.toLowerCase()}`)
}

function givenSecret(path: string, { name, namespace }: SecretReference): FieldError[] {
  return [...given(`${path}.name`, name), ...given(`${path}.namespace`, namespace)]
}

const csiSecrets = [
  'controllerPublishSecretRef',
  'controllerExpandSecretRef',
  'nodePublishSecretRef',
  'nodeExpandSecretRef',
] as const

const maxDriverBytes = 63

function csiErrors(path: string, source: CSIPersistentVolumeSource): FieldError[] {
  const { driver = '', volumeHandle } = source
  const isTooLong = Buffer.byteLength(driver) > maxDriverBytes
  return [
    ...(isTooLong ? [tooLongField(`${path}.driver`, maxDriverBytes)] : []),
    ...driverErrors(`${path}.driver`, driver),
    ...given(`${path}.volumeHandle`, volumeHandle),
    ...csiSecrets.flatMap((field) => {
      const secret = source[field]
      return secret === undefined ? [] : secretErrors(`${path}.${field}`, secret)
    }),
  ]
}

function secretErrors(path: string, { name, namespace }: SecretReference): FieldError[] {
  return [
    ...named(`${path}.name`, name, subdomainErrors),
    ...named(`${path}.namespace`, namespace, labelErrors),
  ]
}

function iscsiErrors(path: string, source: ISCSIPersistentVolumeSource): FieldError[] {
  const { iqn = '', lun, secretRef, initiatorName } = source
  const needsSecret = source.chapAuthDiscovery === true || source.chapAuthSession === true
  return [
    ...given(`${path}.targetPortal`, source.targetPortal),
    ...named(`${path}.iqn`, iqn, initiatorErrors),
    ...between(`${path}.lun`, lun, [0, 255]),
    ...(needsSecret && secretRef === undefined ? [requiredField(`${path}.secretRef`)] : []),
    ...(secretRef === undefined ? [] : given(`${path}.secretRef.name`, secretRef.name)),
    ...givenName(`${path}.initiatorname`, initiatorName, initiatorErrors),
  ]
}

const initiatorForms: Readonly<Record<string, RegExp>> = {
  iqn: /^iqn\.\d{4}-\d{2}\.[A-Za-z0-9.-]+(:[^,;*&$|\s]+)$/,
  eui: /^eui.[A-Za-z0-9]{16}$/,
  naa: /^naa.[A-Za-z0-9]{32}$/,
}

function initiatorErrors(name: string): string[] {
  const isName = initiatorForms[name.slice(0, 3)]?.test(name) === true
  return isName ? [] : ['must be valid format']
}
