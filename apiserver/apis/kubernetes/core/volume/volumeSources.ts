import {
  forbiddenField,
  invalidField,
  requiredField,
  tooLongField,
  type FieldError,
} from '../../../../meta/fieldErrors.ts'
import { labelKeyErrors, subdomainErrors } from '../../../../meta/names/nameValidation.ts'
import type { ObjectMeta } from '../../../../meta/types.ts'
import { given, noBacksteps, oneOf, optionalChoice, pathBelow } from '../../../fieldChecks.ts'
import { labelsErrors } from '../../../../registry/write/metadataValidation.ts'
import type {
  DownwardAPIVolumeSource,
  PersistentVolumeClaimTemplate,
  VolumeProjection,
} from '../../shapes/coreV1.ts'
import { compareQuantityStrings } from '../quantityRules.ts'
import { claimSpecErrors } from './claimRules.ts'
import {
  downwardErrors,
  itemErrors,
  modeErrors,
  userErrors,
  type KeysSource,
} from './volumeFiles.ts'
import { projectionErrors } from './projectedRules.ts'

/** Checks a volume source whose type the schema has validated. */
export type SourceRules = (path: string, source: unknown) => FieldError[]

/** Creates the rules for one type of source. */
export function rulesOf<T extends object>(
  check: (path: string, source: T) => FieldError[],
): SourceRules {
  // Guaranteed by the schema.
  return (path, source) => check(path, source as T)
}

/** Rules of a source for which these fields are required. */
export function needing(...fields: readonly string[]): SourceRules {
  return rulesOf<Record<string, unknown>>((path, source) =>
    fields.flatMap((field) => given(`${path}.${field}`, source[field])),
  )
}

const hostPathTypes = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
]

/**
 * Rules for volume sources that every cluster supports. Source: Kubernetes API reference, Volume
 * v1; observed answers.
 */
export const volumeSources: Readonly<Record<string, SourceRules>> = {
  emptyDir: rulesOf<{ sizeLimit?: string }>((path, { sizeLimit = '0' }) =>
    compareQuantityStrings(sizeLimit, '0') < 0
      ? [forbiddenField(`${path}.sizeLimit`, 'SizeLimit field must be a valid resource quantity')]
      : [],
  ),
  hostPath: rulesOf<{ path?: string; type?: string }>((path, source) =>
    hostPathErrors(path, source),
  ),
  gitRepo: rulesOf<{ repository?: string; directory?: string }>((path, source) => [
    ...given(`${path}.repository`, source.repository),
    ...pathBelow(`${path}.directory`, source.directory),
  ]),
  secret: rulesOf<KeysSource>((path, source) => [
    ...given(`${path}.secretName`, source.secretName),
    ...modeErrors(`${path}.defaultMode`, source.defaultMode),
    ...(source.items ?? []).flatMap((item, index) => itemErrors(`${path}.items[${index}]`, item)),
  ]),
  configMap: rulesOf<KeysSource>((path, source) => [
    ...given(`${path}.name`, source.name),
    ...modeErrors(`${path}.defaultMode`, source.defaultMode),
    ...(source.items ?? []).flatMap((item, index) => itemErrors(`${path}.items[${index}]`, item)),
  ]),
  nfs: rulesOf<{ server?: string; path?: string }>((path, { server, path: folder = '' }) => [
    ...given(`${path}.server`, server),
    ...given(`${path}.path`, folder),
    ...(folder.startsWith('/')
      ? []
      : [invalidField(`${path}.path`, folder, 'must be an absolute path')]),
  ]),
  persistentVolumeClaim: needing('claimName'),
  downwardAPI: rulesOf<DownwardAPIVolumeSource>((path, source) => [
    ...modeErrors(`${path}.defaultMode`, source.defaultMode),
    ...userErrors(`${path}.defaultUser`, source.defaultUser),
    ...(source.items ?? []).flatMap((item) => downwardErrors(path, item)),
  ]),
  projected: rulesOf<{ defaultMode?: number; sources?: VolumeProjection[] }>((path, source) => [
    ...modeErrors(`${path}.defaultMode`, source.defaultMode),
    ...projectionErrors(path, source.sources ?? []),
  ]),
  csi: rulesOf<{ driver?: string; nodePublishSecretRef?: { name?: string } }>(
    (path, { driver = '', nodePublishSecretRef: secret }) => [
      ...driverErrors(`${path}.driver`, driver),
      ...(secret ? secretErrors(path, secret.name ?? '') : []),
    ],
  ),
  ephemeral: rulesOf<{ volumeClaimTemplate?: PersistentVolumeClaimTemplate }>((path, source) => {
    const { volumeClaimTemplate: template } = source
    const at = `${path}.volumeClaimTemplate`
    return template === undefined
      ? [requiredField(at)]
      : [
          ...templateMetadataErrors(`${at}.metadata`, template.metadata ?? {}),
          ...claimSpecErrors(`${at}.spec`, template.spec ?? {}),
        ]
  }),
  image: rulesOf<{ reference?: string; pullPolicy?: string }>((path, source) => [
    ...given(`${path}.reference`, source.reference),
    ...optionalChoice(`${path}.pullPolicy`, source.pullPolicy, ['Always', 'IfNotPresent', 'Never']),
  ]),
}

function secretErrors(path: string, name: string): FieldError[] {
  if (name === '') return [requiredField(`${path}.nodePublishSecretRef.name`)]
  return subdomainErrors(name).map((text) => invalidField(`${path}.name`, name, text))
}

function hostPathErrors(
  path: string,
  { path: folder = '', type }: { path?: string; type?: string },
): FieldError[] {
  if (folder === '') return [requiredField(`${path}.path`)]
  return [
    ...noBacksteps(`${path}.path`, folder),
    ...(type === undefined ? [] : oneOf(`${path}.type`, type, hostPathTypes)),
  ]
}

const maxDriver = 63

export function driverErrors(path: string, driver: string): FieldError[] {
  if (driver === '') return [requiredField(path)]
  const errors = subdomainErrors(driver.toLowerCase()).map((text) =>
    invalidField(path, driver, text),
  )
  return driver.length > maxDriver ? [tooLongField(path, maxDriver), ...errors] : errors
}

/** Metadata fields that a template must not set, with kube-apiserver's names for two of them. */
const unsettable = [
  'name',
  'generateName',
  'namespace',
  'selfLink',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'ownerReferences',
  'finalizers',
  'managedFields',
] as const

function templateMetadataErrors(path: string, metadata: ObjectMeta): FieldError[] {
  return [
    ...labelsErrors(`${path}.labels`, metadata.labels ?? {}),
    ...Object.keys(metadata.annotations ?? {}).flatMap((key) =>
      labelKeyErrors(key.toLowerCase()).map((text) =>
        invalidField(`${path}.annotations`, key, text),
      ),
    ),
    ...unsettable
      .filter((field) => (metadata[field] ?? null) !== null)
      .map((field) =>
        forbiddenField(`${path}.${field === 'uid' ? 'uID' : field}`, 'cannot be set'),
      ),
  ]
}
