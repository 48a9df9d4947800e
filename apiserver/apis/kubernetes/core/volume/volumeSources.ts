import {
  forbiddenField,
  invalidField,
  requiredField,
  type FieldError,
} from '../../../../meta/fieldErrors.ts'
import { labelKeyErrors, subdomainErrors } from '../../../../meta/names/nameValidation.ts'
import type { ObjectMeta } from '../../../../meta/types.ts'
import { given, noBacksteps, oneOf, optionalChoice, pathBelow } from '../../../fieldChecks.ts'
import { labelsErrors } from '../../../../registry/metadataValidation.ts'
import { compareAmounts } from '../quantities.ts'
import { claimSpecErrors, type ClaimSpec } from './claimRules.ts'
import { amountRefErrors, fieldRefErrors, filePaths } from '../container/envRules.ts'
import type { FieldRef, ResourceFieldRef } from '../pod/podTypes.ts'

/** What is wrong with a source of a volume, which the schema has found to be of its type. */
export type SourceRules = (path: string, source: unknown) => FieldError[]

/** The rules of one type of source. */
export function rulesOf<T extends object>(
  check: (path: string, source: T) => FieldError[],
): SourceRules {
  // The schema has looked at the type.
  return (path, source) => check(path, source as T)
}

/** Sources whose fields named here have to be there, and that have no other rule. */
export function needing(...fields: readonly string[]): SourceRules {
  return rulesOf<Record<string, unknown>>((path, source) =>
    fields.flatMap((field) => given(`${path}.${field}`, source[field])),
  )
}

interface KeyToPath {
  key?: string
  path?: string
  mode?: number
}

interface KeysSource {
  name?: string
  secretName?: string
  defaultMode?: number
  items?: KeyToPath[]
}

interface DownwardFile extends KeyToPath {
  fieldRef?: FieldRef
  resourceFieldRef?: ResourceFieldRef
}

interface Projection {
  secret?: KeysSource
  configMap?: KeysSource
  downwardAPI?: { items?: DownwardFile[] }
  serviceAccountToken?: { expirationSeconds?: number; path?: string }
}

interface ClaimTemplate {
  metadata?: ObjectMeta
  spec?: ClaimSpec
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

/** Sources that every cluster has. Source: Kubernetes API reference, Volume v1; observed answers. */
export const volumeSources: Readonly<Record<string, SourceRules>> = {
  emptyDir: rulesOf<{ sizeLimit?: string }>((path, { sizeLimit = '0' }) =>
    compareAmounts(sizeLimit, '0') < 0
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
    ...itemErrors(path, source),
  ]),
  configMap: rulesOf<KeysSource>((path, source) => [
    ...given(`${path}.name`, source.name),
    ...modeErrors(`${path}.defaultMode`, source.defaultMode),
    ...itemErrors(path, source),
  ]),
  nfs: rulesOf<{ server?: string; path?: string }>((path, { server, path: folder = '' }) => [
    ...given(`${path}.server`, server),
    ...given(`${path}.path`, folder),
    ...(folder.startsWith('/')
      ? []
      : [invalidField(`${path}.path`, folder, 'must be an absolute path')]),
  ]),
  persistentVolumeClaim: needing('claimName'),
  downwardAPI: rulesOf<{ defaultMode?: number; items?: DownwardFile[] }>((path, source) => [
    ...modeErrors(`${path}.defaultMode`, source.defaultMode),
    ...(source.items ?? []).flatMap((item) => downwardErrors(path, item)),
  ]),
  projected: rulesOf<{ defaultMode?: number; sources?: Projection[] }>((path, source) => [
    ...modeErrors(`${path}.defaultMode`, source.defaultMode),
    ...(source.sources ?? []).flatMap((one, index) => projectionErrors(path, one, index)),
  ]),
  csi: rulesOf<{ driver?: string; nodePublishSecretRef?: { name?: string } }>(
    (path, { driver = '', nodePublishSecretRef: secret }) => [
      ...driverErrors(`${path}.driver`, driver),
      ...(secret ? secretErrors(path, secret.name ?? '') : []),
    ],
  ),
  ephemeral: rulesOf<{ volumeClaimTemplate?: ClaimTemplate }>((path, source) => {
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

export function driverErrors(path: string, driver: string): FieldError[] {
  if (driver === '') return [requiredField(path)]
  return subdomainErrors(driver.toLowerCase()).map((text) => invalidField(path, driver, text))
}

/** Fields of the metadata that a template has nothing to say in, with the library's names for two. */
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

function itemErrors(path: string, { items = [] }: KeysSource): FieldError[] {
  return items.flatMap(({ key, path: file, mode }, index) => {
    const at = `${path}.items[${index}]`
    return [
      ...given(`${at}.key`, key),
      ...given(`${at}.path`, file),
      ...filePathErrors(`${at}.path`, file),
      ...modeErrors(`${at}.mode`, mode),
    ]
  })
}

/** The path of a file in a volume: names that begin with two dots belong to the volume itself. */
function filePathErrors(path: string, file = ''): FieldError[] {
  const isReserved = file.startsWith('..') && !file.startsWith('../../../')
  return [
    ...pathBelow(path, file),
    ...(isReserved ? [invalidField(path, file, "must not start with '..'")] : []),
  ]
}

/** Their paths do not say which file it is, as in the library. */
function downwardErrors(path: string, file: DownwardFile): FieldError[] {
  const { fieldRef, resourceFieldRef, mode } = file
  return [
    ...given(`${path}.path`, file.path),
    ...filePathErrors(`${path}.path`, file.path),
    ...(fieldRef ? fieldRefErrors(`${path}.fieldRef`, fieldRef, filePaths) : []),
    ...(fieldRef && resourceFieldRef
      ? [
          invalidField(
            path,
            'resource',
            'fieldRef and resourceFieldRef can not be specified simultaneously',
          ),
        ]
      : []),
    ...(!fieldRef && resourceFieldRef ? amountFileErrors(path, resourceFieldRef) : []),
    ...(!fieldRef && !resourceFieldRef
      ? [requiredField(path, 'one of fieldRef and resourceFieldRef is required')]
      : []),
    ...modeErrors(`${path}.mode`, mode),
  ]
}

function amountFileErrors(path: string, ref: ResourceFieldRef): FieldError[] {
  const at = `${path}.resourceFieldRef`
  return (ref.containerName ?? '') === ''
    ? [requiredField(`${at}.containerName`)]
    : amountRefErrors(at, ref)
}

function projectionErrors(path: string, source: Projection, index: number): FieldError[] {
  const { secret, configMap, downwardAPI, serviceAccountToken: token } = source
  const at = `${path}.sources[${index}]`
  return [
    ...(secret ? keysErrors(`${at}.secret`, secret) : []),
    ...(configMap ? keysErrors(`${at}.configMap`, configMap) : []),
    ...(downwardAPI?.items ?? []).flatMap((item) => downwardErrors(`${at}.downwardAPI`, item)),
    ...(token ? lifetimeErrors(`${at}.serviceAccountToken.expirationSeconds`, token) : []),
    // The path of these errors does not say which source it is, as in the library.
    ...(token
      ? [...given(`${path}.path`, token.path), ...pathBelow(`${path}.path`, token.path)]
      : []),
  ]
}

function keysErrors(path: string, source: KeysSource): FieldError[] {
  return [...given(`${path}.name`, source.name), ...itemErrors(path, source)]
}

function lifetimeErrors(
  path: string,
  { expirationSeconds: seconds = 3600 }: NonNullable<Projection['serviceAccountToken']>,
): FieldError[] {
  if (seconds < 600) {
    return [invalidField(path, seconds, 'may not specify a duration less than 10 minutes')]
  }
  const detail = 'may not specify a duration larger than 2^32 seconds'
  return seconds > 2 ** 32 ? [invalidField(path, seconds, detail)] : []
}

const modeText = 'must be a number between 0 and 0777 (octal), both inclusive'

function modeErrors(path: string, mode: number | undefined): FieldError[] {
  if (mode === undefined || (mode >= 0 && mode <= 0o777)) return []
  return [invalidField(path, mode, modeText)]
}
