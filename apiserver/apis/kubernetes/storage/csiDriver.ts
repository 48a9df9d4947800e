import {
  duplicateField,
  invalidField,
  notSupportedField,
  type FieldError,
} from '../../../meta/fieldErrors.ts'
import { repeats } from '../../../meta/collections/repeats.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { Column, ResourceDefinition } from '../../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../../registry/table.ts'
import { cellColumn, valueAt } from '../../columns.ts'
import { errorIf, isSame, optionalChoice, unchanged } from '../../fieldChecks.ts'
import { fillMissing } from '../../fill.ts'
import { builtInKind, type KindContext } from '../builtInKind.ts'
import type { CSIDriverSpec, TokenRequest } from '../shapes/storageV1.ts'

/** Definition of the CSIDriver kind. Source: Kubernetes API reference, CSIDriver v1; seen on kube-apiserver 1.37.2. */
export function csiDriverResource({ types }: KindContext): ResourceDefinition {
  return builtInKind(types, {
    group: 'storage.k8s.io',
    version: 'v1',
    plural: 'csidrivers',
    kind: 'CSIDriver',
    namespaced: false,
    description: 'CSIDriver describes a CSI volume driver.',
    strategy: {
      metadata: { namesOnCreate: true },
      generation: 'none',
      prepareForUpdate: countChange,
      deletion: { returnsObject: true },
      allowUnconditionalUpdate: false,
      setDefaults: setDriverDefaults,
      validate: (object) => specErrors(specOf(object)),
      validateUpdate: changeErrors,
      warningsOnCreate: (object) => tokenWarnings(specOf(object)),
      warningsOnUpdate: (next, old) =>
        isSame(specOf(next).tokenRequests ?? [], specOf(old).tokenRequests ?? [])
          ? []
          : tokenWarnings(specOf(next)),
    },
    columns: [
      nameColumn,
      booleanColumn('AttachRequired', 'attachRequired', 'Whether volumes are attached to nodes.'),
      booleanColumn(
        'PodInfoOnMount',
        'podInfoOnMount',
        'Whether the driver gets information about the pod on mount.',
      ),
      booleanColumn(
        'StorageCapacity',
        'storageCapacity',
        'Whether scheduling considers the available capacity.',
      ),
      cellColumn('TokenRequests', 'Audiences of tokens for the driver.', audiencesText),
      booleanColumn(
        'RequiresRepublish',
        'requiresRepublish',
        'Whether mounted volumes are republished periodically.',
      ),
      cellColumn('Modes', 'Volume lifecycle modes that the driver supports.', modesText),
      ageColumn,
    ],
  })
}

function specOf(object: ApiObject): CSIDriverSpec {
  // Guaranteed by the schema; the store gives every object a spec.
  return object['spec'] ?? {}
}

/** Sets the generation; a new driver has no generation until its first change. */
function countChange(next: ApiObject, old: ApiObject): void {
  if (!isSame(specOf(next), specOf(old))) {
    next.metadata.generation = (old.metadata.generation ?? 0) + 1
  }
}

function booleanColumn(name: string, field: keyof CSIDriverSpec, description: string): Column {
  const cell = (object: ApiObject) => valueAt(object, `spec.${field}`) === true
  return { name, type: 'boolean', description, cell }
}

function audiencesText(object: ApiObject): string {
  const { tokenRequests } = specOf(object)
  return tokenRequests?.map(({ audience = '' }) => audience).join(',') ?? '<unset>'
}

function modesText(object: ApiObject): string {
  const modes = (specOf(object).volumeLifecycleModes ?? []).join(',')
  return modes === '' ? '<none>' : modes
}

function setDriverDefaults(object: ApiObject): void {
  const spec = specOf(object)
  fillMissing(spec, {
    attachRequired: true,
    podInfoOnMount: false,
    storageCapacity: false,
    fsGroupPolicy: 'ReadWriteOnceWithFSType',
    requiresRepublish: false,
    seLinuxMount: false,
    preventPodSchedulingIfMissing: false,
  })
  if ((spec.volumeLifecycleModes ?? []).length === 0) spec.volumeLifecycleModes = ['Persistent']
}

const minPeriodSeconds = 10

function specErrors(spec: CSIDriverSpec): FieldError[] {
  const { tokenRequests = [], serviceAccountTokenInSecrets: inSecrets } = spec
  const period = spec.nodeAllocatableUpdatePeriodSeconds
  const policies = ['File', 'None', 'ReadWriteOnceWithFSType']
  const modes = ['Persistent', 'Ephemeral']
  const untold = 'serviceAccountTokenInSecrets is set but no tokenRequests are specified'
  return [
    ...optionalChoice('spec.fsGroupPolicy', spec.fsGroupPolicy, policies),
    ...tokenErrors('spec.tokenRequests', tokenRequests),
    ...(spec.volumeLifecycleModes ?? [])
      .filter((mode) => !modes.includes(mode))
      .map((mode) => notSupportedField('spec.volumeLifecycleModes', mode, modes)),
    ...errorIf(period !== undefined && period < minPeriodSeconds, () =>
      invalidField(
        'spec.nodeAllocatableUpdatePeriodSeconds',
        period,
        `must be greater than or equal to ${minPeriodSeconds} seconds`,
      ),
    ),
    ...errorIf(inSecrets !== undefined && tokenRequests.length === 0, () =>
      invalidField('spec.serviceAccountTokenInSecrets', inSecrets, untold),
    ),
  ]
}

const minTokenSeconds = 600
const maxTokenSeconds = 2 ** 32

function tokenErrors(path: string, requests: readonly TokenRequest[]): FieldError[] {
  const isRepeated = repeats(requests.map(({ audience = '' }) => audience))
  return requests.flatMap(({ audience = '', expirationSeconds: seconds }, index) => {
    const at = `${path}[${index}].expirationSeconds`
    if (isRepeated[index] === true) return [duplicateField(`${path}[${index}].audience`, audience)]
    if (seconds === undefined) return []
    if (seconds < minTokenSeconds) {
      return [invalidField(at, seconds, 'may not specify a duration less than 10 minutes')]
    }
    return errorIf(seconds > maxTokenSeconds, () =>
      invalidField(at, seconds, 'may not specify a duration larger than 2^32 seconds'),
    )
  })
}

function changeErrors(next: ApiObject, old: ApiObject): FieldError[] {
  const [after, before] = [specOf(next), specOf(old)]
  const modes = 'spec.volumeLifecycleModes'
  return [
    ...specErrors(after),
    ...unchanged('spec.attachedRequired', after.attachRequired, before.attachRequired),
    ...unchanged(modes, after.volumeLifecycleModes, before.volumeLifecycleModes),
  ]
}

const tokenAdvice =
  'spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes'

function tokenWarnings({
  tokenRequests = [],
  serviceAccountTokenInSecrets,
}: CSIDriverSpec): string[] {
  return tokenRequests.length > 0 && serviceAccountTokenInSecrets === undefined ? [tokenAdvice] : []
}
