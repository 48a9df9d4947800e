import { invalidField, requiredField, type FieldError } from '../../../../meta/fieldErrors.ts'
import { between, given, pathBelow } from '../../../fieldChecks.ts'
import type { DownwardAPIVolumeFile, KeyToPath } from '../../shapes/coreV1.ts'
import { quantityRefErrors, fieldRefErrors, filePaths } from '../container/envRules.ts'

export interface KeysSource {
  name?: string
  secretName?: string
  defaultMode?: number
  items?: KeyToPath[]
}

/** Errors for one key of a secret or config map and its file. */
export function itemErrors(path: string, { key, path: file, mode, user }: KeyToPath): FieldError[] {
  return [
    ...given(`${path}.key`, key),
    ...given(`${path}.path`, file),
    ...filePathErrors(`${path}.path`, file),
    ...modeErrors(`${path}.mode`, mode),
    ...userErrors(`${path}.user`, user),
  ]
}

/** Errors for the path of a file in a volume: names that begin with two dots are reserved. */
export function filePathErrors(path: string, file = ''): FieldError[] {
  const isReserved = file.startsWith('..') && !file.startsWith('../')
  return [
    ...pathBelow(path, file),
    ...(isReserved ? [invalidField(path, file, "must not start with '..'")] : []),
  ]
}

/** Errors for a downward API file. Paths omit the index of the file, as in kube-apiserver. */
export function downwardErrors(path: string, file: DownwardAPIVolumeFile): FieldError[] {
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
    ...(!fieldRef && resourceFieldRef
      ? quantityRefErrors(`${path}.resourceFieldRef`, resourceFieldRef, 'file')
      : []),
    ...(!fieldRef && !resourceFieldRef
      ? [requiredField(path, 'one of fieldRef and resourceFieldRef is required')]
      : []),
    ...modeErrors(`${path}.mode`, mode),
    ...userErrors(`${path}.user`, file.user),
  ]
}

const modeText = 'must be a number between 0 and 0777 (octal), both inclusive'

export function modeErrors(path: string, mode: number | undefined): FieldError[] {
  if (mode === undefined || (mode >= 0 && mode <= 0o777)) return []
  return [invalidField(path, mode, modeText)]
}

/**
 * Errors for the owner of a file. The feature is disabled, so only objects that are refused anyway
 * have an owner.
 */
export function userErrors(path: string, user: number | undefined): FieldError[] {
  return user === undefined ? [] : between(path, user, [0, 2147483647])
}
