import { invalidField, requiredField, type FieldError } from '../../../../meta/fieldErrors.ts'
import { labelErrors, subdomainErrors } from '../../../../meta/names/nameValidation.ts'
import { given, isSame, oneOf, optionalName } from '../../../fieldChecks.ts'
import { selectorErrors } from '../../selectorRules.ts'
import type { PersistentVolumeClaimSpec, TypedObjectReference } from '../../shapes/coreV1.ts'
import { compareQuantityStrings } from '../quantityRules.ts'
import { accessModeErrors, onePodErrors } from './volumeFields.ts'

/**
 * Errors for a claim's spec. Source: Kubernetes API reference, PersistentVolumeClaimSpec v1;
 * observed answers.
 */
export function claimSpecErrors(
  path: string,
  spec: PersistentVolumeClaimSpec,
  allowsAnyGroup = false,
): FieldError[] {
  const { accessModes = [], resources = {}, selector, volumeMode, dataSource, dataSourceRef } = spec
  const size = resources.requests?.['storage']
  return [
    ...(accessModes.length === 0
      ? [requiredField(`${path}.accessModes`, 'at least 1 access mode is required')]
      : []),
    ...(selector === undefined ? [] : selectorErrors(`${path}.selector`, selector)),
    ...(accessModes.length === 0 ? [] : accessModeErrors(`${path}.accessModes`, accessModes)),
    ...onePodErrors(`${path}.accessModes`, accessModes),
    ...(size === undefined
      ? [requiredField(`${path}.resources[storage]`)]
      : sizeErrors(`${path}.resources[storage]`, size)),
    ...optionalName(`${path}.storageClassName`, spec.storageClassName, subdomainErrors),
    ...oneOf(`${path}.volumeMode`, volumeMode, ['Block', 'Filesystem']),
    ...(dataSource ? sourceErrors(`${path}.dataSource`, dataSource, allowsAnyGroup) : []),
    ...(dataSourceRef ? sourceErrors(`${path}.dataSourceRef`, dataSourceRef, allowsAnyGroup) : []),
    ...bothErrors(path, spec),
    ...optionalName(
      `${path}.volumeAttributesClassName`,
      spec.volumeAttributesClassName,
      subdomainErrors,
    ),
  ]
}

function sizeErrors(path: string, size: string): FieldError[] {
  if (compareQuantityStrings(size, '0') > 0) return []
  return [invalidField(path, size, 'must be greater than zero')]
}

function sourceErrors(
  path: string,
  { apiGroup, kind, name, namespace }: TypedObjectReference,
  allowsAnyGroup: boolean,
): FieldError[] {
  const group = apiGroup ?? ''
  const isForeign = group === '' && kind !== 'PersistentVolumeClaim'
  const detail = "must be 'PersistentVolumeClaim' when referencing the default apiGroup"
  return [
    ...given(`${path}.name`, name),
    ...given(`${path}.kind`, kind),
    ...(isForeign ? [invalidField(path, kind ?? '', detail)] : []),
    ...(allowsAnyGroup ? [] : optionalName(`${path}.apiGroup`, group, subdomainErrors)),
    ...optionalName(`${path}.namespace`, namespace, labelErrors),
  ]
}

/** Errors if both fields are set and differ, with the value that the real server shows. */
function bothErrors(
  path: string,
  { dataSource, dataSourceRef }: PersistentVolumeClaimSpec,
): FieldError[] {
  if (dataSource === undefined || dataSourceRef === undefined) return []
  if ((dataSourceRef.namespace ?? '') !== '') {
    const detail = 'may not be specified when dataSourceRef.namespace is specified'
    return [invalidField(path, {}, detail)]
  }
  const { namespace: _namespace, ...reference } = dataSourceRef
  const isMatch = isSame(plain(dataSource), plain(reference))
  return isMatch ? [] : [invalidField(path, {}, 'must match dataSourceRef')]
}

function plain({ apiGroup, kind = '', name = '' }: TypedObjectReference): TypedObjectReference {
  return { apiGroup: apiGroup ?? null, kind, name }
}

/**
 * Drops unsupported sources: the deprecated field may only name claims and snapshots, unless the
 * newer field or the stored claim has a source. Also drops sources in another namespace. Changes
 * `spec`.
 */
export function dropOtherSources(
  spec: PersistentVolumeClaimSpec,
  old: PersistentVolumeClaimSpec = {},
): void {
  const isForeign = (spec.dataSourceRef?.namespace ?? '') !== ''
  if (isForeign && old.dataSourceRef === undefined) delete spec.dataSourceRef
  const hadSource = [old.dataSource, old.dataSourceRef].some((one) => one !== undefined)
  if (hadSource || spec.dataSourceRef !== undefined) return
  if (spec.dataSource !== undefined && !isOldSource(spec.dataSource)) delete spec.dataSource
}

function isOldSource({ apiGroup, kind }: TypedObjectReference): boolean {
  const group = apiGroup ?? ''
  return (
    (group === '' && kind === 'PersistentVolumeClaim') ||
    (group === 'snapshot.storage.k8s.io' && kind === 'VolumeSnapshot')
  )
}

/** Copies either of the two fields to the other. Changes `spec`. */
export function matchSources(spec: PersistentVolumeClaimSpec): void {
  const { dataSource, dataSourceRef } = spec
  if (dataSource !== undefined) spec.dataSourceRef ??= { ...dataSource }
  else if (dataSourceRef !== undefined && (dataSourceRef.namespace ?? '') === '') {
    spec.dataSource = { ...dataSourceRef }
  }
}
