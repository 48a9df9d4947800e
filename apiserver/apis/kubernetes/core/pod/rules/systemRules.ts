import {
  forbiddenField,
  notSupportedField,
  type FieldError,
} from '../../../../../meta/fieldErrors.ts'
import { errorIf, given } from '../../../../fieldChecks.ts'
import type { PodSpec } from '../../../shapes/coreV1.ts'
import { placedContainers } from '../containerPaths.ts'

/**
 * Errors for the operating system and for fields that it does not support. `path` leads to the
 * spec. Source: seen on kube-apiserver 1.37.2.
 */
export function systemErrors(path: string, spec: PodSpec): FieldError[] {
  if (spec.os === undefined) return []
  const { name = '' } = spec.os
  const missing = given(`${path}.os.name`, name)
  if (missing.length > 0) return missing
  if (name === 'linux') return linuxErrors(path, spec)
  if (name === 'windows') return windowsErrors(path, spec)
  return [notSupportedField(`${path}.os`, name, ['linux', 'windows'])]
}

function linuxErrors(path: string, spec: PodSpec): FieldError[] {
  const all = [{ at: path, container: spec }, ...placedContainers(path, spec)]
  return all.flatMap(({ at, container: { securityContext } }) =>
    errorIf(securityContext?.windowsOptions !== undefined, () =>
      forbiddenField(
        `${at}.securityContext.windowsOptions`,
        'windows options cannot be set for a linux pod',
      ),
    ),
  )
}

const podFields = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'fsGroup',
  'fsGroupChangePolicy',
  'sysctls',
  'runAsUser',
  'runAsGroup',
  'supplementalGroups',
  'supplementalGroupsPolicy',
  'seLinuxChangePolicy',
]

const containerFields = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
]

function windowsErrors(path: string, spec: PodSpec): FieldError[] {
  const { hostUsers, hostPID, hostIPC, shareProcessNamespace } = spec
  return [
    ...unset(`${path}.securityContext`, spec.securityContext ?? {}, podFields),
    ...unset(path, { hostUsers }, ['hostUsers']),
    ...unset(path, { hostPID: hostPID === true ? true : undefined }, ['hostPID']),
    ...unset(path, { hostIPC: hostIPC === true ? true : undefined }, ['hostIPC']),
    ...unset(path, { shareProcessNamespace }, ['shareProcessNamespace']),
    ...placedContainers(path, spec).flatMap(({ at, container: { securityContext = {} } }) =>
      unset(`${at}.securityContext`, securityContext, containerFields),
    ),
  ]
}

function unset(path: string, holder: object, fields: readonly string[]): FieldError[] {
  const values = new Map<string, unknown>(Object.entries(holder))
  return fields.flatMap((field) =>
    errorIf(isSet(values.get(field)), () =>
      forbiddenField(`${path}.${field}`, 'cannot be set for a windows pod'),
    ),
  )
}

function isSet(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined
}
