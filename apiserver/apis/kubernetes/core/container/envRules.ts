import {
  invalidField,
  notFoundField,
  notSupportedField,
  requiredField,
  type FieldError,
} from '../../../../meta/fieldErrors.ts'
import {
  labelErrors,
  labelKeyErrors,
  subdomainErrors,
} from '../../../../meta/names/nameValidation.ts'
import { errorIf, given, named, noBacksteps } from '../../../fieldChecks.ts'
import type {
  ConfigMapKeySelector,
  EnvFromSource,
  EnvVar,
  EnvVarSource,
  ObjectFieldSelector,
  PodSpec,
  ResourceFieldSelector,
} from '../../shapes/coreV1.ts'
import { configKeyTexts } from '../configData.ts'
import { placedContainers } from '../pod/containerPaths.ts'
import { compareQuantityStrings } from '../quantityRules.ts'

const nameText =
  "a valid environment variable name must consist only of printable ASCII characters other than '='"

/**
 * Errors for the variables of a container. Source: Kubernetes API reference, EnvVar and
 * EnvFromSource v1.
 */
export function envErrors(path: string, env: readonly EnvVar[]): FieldError[] {
  return env.flatMap(({ name = '', value = '', valueFrom }, index) => {
    const at = `${path}[${index}]`
    return [
      ...given(`${at}.name`, name),
      ...(name === '' ? [] : variableErrors(`${at}.name`, name)),
      ...(valueFrom ? sourceErrors(`${at}.valueFrom`, valueFrom, value) : []),
    ]
  })
}

function variableErrors(path: string, name: string): FieldError[] {
  return /^[ -<>-~]+$/.test(name) ? [] : [invalidField(path, name, nameText)]
}

const kinds = [
  'fieldRef',
  'resourceFieldRef',
  'configMapKeyRef',
  'secretKeyRef',
  'fileKeyRef',
] as const
const kindsText =
  'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`'

function sourceErrors(path: string, source: EnvVarSource, value: string): FieldError[] {
  const count = kinds.filter((kind) => source[kind] !== undefined).length
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = source
  const errors = [
    ...(fieldRef ? fieldRefErrors(`${path}.fieldRef`, fieldRef, environmentPaths) : []),
    ...(resourceFieldRef ? quantityRefErrors(`${path}.resourceFieldRef`, resourceFieldRef) : []),
    ...(configMapKeyRef ? keyErrors(`${path}.configMapKeyRef`, configMapKeyRef) : []),
    ...(secretKeyRef ? keyErrors(`${path}.secretKeyRef`, secretKeyRef) : []),
    ...(fileKeyRef ? fileErrors(`${path}.fileKeyRef`, fileKeyRef) : []),
    ...(count === 0 ? [invalidField(path, '', kindsText)] : []),
  ]
  if (value !== '' && count > 0) {
    errors.push(invalidField(path, '', 'may not be specified when `value` is not empty'))
  } else if (count > 1) {
    errors.push(invalidField(path, '', 'may not have more than one field specified at a time'))
  }
  return errors
}

function keyErrors(path: string, { name = '', key = '' }: ConfigMapKeySelector): FieldError[] {
  return [
    ...subdomainErrors(name).map((text) => invalidField(`${path}.name`, name, text)),
    ...given(`${path}.key`, key),
    ...(key === ''
      ? []
      : configKeyTexts(key).map((text) => invalidField(`${path}.key`, key, text))),
  ]
}

function fileErrors(
  path: string,
  { key, path: file = '', volumeName: name }: NonNullable<EnvVarSource['fileKeyRef']>,
): FieldError[] {
  return [
    ...given(`${path}.key`, key),
    ...named(`${path}.volumeName`, name, labelErrors),
    ...given(`${path}.path`, file),
    ...noBacksteps(`${path}.path`, file),
  ]
}

const emptyText = 'referenced volume must be of type emptyDir'

/**
 * Errors for files with environment variables, which must be in emptyDir volumes. `path` leads to
 * the pod's spec.
 */
export function fileVolumeErrors(path: string, spec: PodSpec): FieldError[] {
  const volumes = new Map((spec.volumes ?? []).map((one) => [one.name ?? '', one]))
  return placedContainers(path, spec).flatMap(({ at, container: { env = [] } }) =>
    env.flatMap(({ valueFrom: { fileKeyRef } = {} }, index) => {
      if (fileKeyRef === undefined) return []
      const { volumeName: name = '' } = fileKeyRef
      const field = `${at}.env[${index}].valueFrom.fileKeyRef.volumeName`
      const volume = volumes.get(name)
      if (volume === undefined) return [notFoundField(field, name)]
      return errorIf(volume.emptyDir === undefined, () => invalidField(field, name, emptyText))
    }),
  )
}

export function envFromErrors(path: string, sources: readonly EnvFromSource[]): FieldError[] {
  return sources.flatMap(({ prefix = '', configMapRef, secretRef }, index) => {
    const at = `${path}[${index}]`
    const count = [configMapRef, secretRef].filter((one) => one !== undefined).length
    return [
      ...(prefix === '' ? [] : variableErrors(`${at}.prefix`, prefix)),
      ...(configMapRef ? named(`${at}.configMapRef.name`, configMapRef.name, subdomainErrors) : []),
      ...(secretRef ? named(`${at}.secretRef.name`, secretRef.name, subdomainErrors) : []),
      ...(count === 0
        ? [invalidField(path, '', 'must specify one of: `configMapRef` or `secretRef`')]
        : []),
      ...(count > 1
        ? [invalidField(path, '', 'may not have more than one field specified at a time')]
        : []),
    ]
  })
}

const environmentPaths = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
]
export const filePaths = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
]
const podPaths = [
  ...environmentPaths,
  ...filePaths,
  'spec.host',
  'spec.restartPolicy',
  'spec.schedulerName',
  'status.phase',
]

/** Errors for a reference to a field of the pod. `known`: the available fields. */
export function fieldRefErrors(
  path: string,
  { apiVersion = '', fieldPath = '' }: ObjectFieldSelector,
  known: readonly string[],
): FieldError[] {
  if (apiVersion === '') return [requiredField(`${path}.apiVersion`)]
  if (fieldPath === '') return [requiredField(`${path}.fieldPath`)]
  if (apiVersion !== 'v1') {
    return unreadableErrors(path, fieldPath, `unsupported pod version: ${apiVersion}`)
  }
  return pathErrors(path, fieldPath, known)
}

function pathErrors(path: string, fieldPath: string, known: readonly string[]): FieldError[] {
  const unreadable = (why: string) => unreadableErrors(path, fieldPath, why)
  const [, map = '', key = ''] = /^(.+)\['(.+)'\]$/.exec(fieldPath) ?? []
  if (map === 'metadata.labels') return keyTextErrors(path, key)
  if (map === 'metadata.annotations') return keyTextErrors(path, key.toLowerCase())
  if (map !== '') return unreadable(`field label does not support subscript: ${fieldPath}`)
  if (!podPaths.includes(fieldPath)) return unreadable(`field label not supported: ${fieldPath}`)
  const field = fieldPath === 'spec.host' ? 'spec.nodeName' : fieldPath
  return known.includes(field) ? [] : [notSupportedField(`${path}.fieldPath`, field, known)]
}

function unreadableErrors(path: string, fieldPath: string, why: string): FieldError[] {
  const detail = `error converting fieldPath: ${why}`
  return [invalidField(`${path}.fieldPath`, fieldPath, detail)]
}

function keyTextErrors(path: string, key: string): FieldError[] {
  return labelKeyErrors(key).map((text) => invalidField(path, key, text))
}

const containerResources = ['cpu', 'ephemeral-storage', 'memory']
const quantityPaths = ['limits', 'requests'].flatMap((kind) =>
  containerResources.map((one) => `${kind}.${one}`),
)

/**
 * Errors for a reference to a resource quantity. `where`: a file must name the container; a
 * variable need not.
 */
export function quantityRefErrors(
  path: string,
  ref: ResourceFieldSelector,
  where: 'variable' | 'file' = 'variable',
): FieldError[] {
  return [...refErrors(path, ref, where), ...divisorErrors(`${path}.divisor`, ref)]
}

function refErrors(
  path: string,
  { containerName = '', resource = '' }: ResourceFieldSelector,
  where: 'variable' | 'file',
): FieldError[] {
  if (where === 'file' && containerName === '') return [requiredField(`${path}.containerName`)]
  if (resource === '') return [requiredField(`${path}.resource`)]
  if (quantityPaths.includes(resource) || hugePagesRef.test(resource)) return []
  return [notSupportedField(`${path}.resource`, resource, quantityPaths)]
}

const hugePagesRef = /^(limits|requests)\.hugepages-/
const cpuDivisors = ['1m', '1']
const byteDivisors = ['', 'k', 'M', 'G', 'T', 'P', 'E', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'].map(
  (suffix) => `1${suffix}`,
)
const byteText = `only divisor's values ${byteDivisors.join(', ')} are supported with the`

function divisorErrors(path: string, { resource = '', divisor = '0' }: ResourceFieldSelector) {
  if (compareQuantityStrings(divisor, '0') === 0) return []
  const name = hugePagesRef.test(resource)
    ? 'hugepages'
    : (/^(?:limits|requests)\.(.*)$/.exec(resource)?.[1] ?? '')
  const known = name === 'cpu' ? cpuDivisors : byteDivisors
  const detail = divisorTexts[name]
  if (detail === undefined || known.includes(divisor)) return []
  return [invalidField(path, resource, detail)]
}

const divisorTexts: Readonly<Record<string, string>> = {
  cpu: "only divisor's values 1m and 1 are supported with the cpu resource",
  memory: `${byteText} memory resource`,
  'ephemeral-storage': `${byteText} local ephemeral storage resource`,
  hugepages: `${byteText} hugepages resource`,
}
