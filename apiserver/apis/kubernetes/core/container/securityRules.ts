import {
  invalidField,
  notSupportedField,
  requiredField,
  duplicateField,
  type FieldError,
} from '../../../../meta/fieldErrors.ts'
import { subdomainErrors } from '../../../../meta/names/nameValidation.ts'
import { between, given, givenName, oneOf, optionalChoice } from '../../../fieldChecks.ts'
import { repeats } from '../../../../meta/repeats.ts'
import type {
  AppArmorProfile,
  PodSecurityContext,
  SeccompProfile,
  SecurityContext,
  WindowsOptions,
} from '../pod/podTypes.ts'

const ids = [0, 2147483647] as const
const profileTypes = ['Localhost', 'RuntimeDefault', 'Unconfined']
const procMounts = ['Default', 'Unmasked']

/** Source: Kubernetes API reference, SecurityContext v1. */
export function containerSecurityErrors(
  path: string,
  context: SecurityContext | undefined,
  hostUsers: boolean | undefined,
): FieldError[] {
  if (context === undefined) return []
  const { procMount, privileged, allowPrivilegeEscalation, capabilities } = context
  const isUnmasked = procMount === 'Unmasked' && hostUsers !== false
  const refuse = (isWrong: boolean, why: string) =>
    isWrong
      ? [invalidField(path, context, `cannot set \`allowPrivilegeEscalation\` to false and ${why}`)]
      : []
  const isHeld = allowPrivilegeEscalation === false
  return [
    ...between(`${path}.runAsUser`, context.runAsUser, ids),
    ...between(`${path}.runAsGroup`, context.runAsGroup, ids),
    ...optionalChoice(`${path}.procMount`, procMount, procMounts),
    ...(isUnmasked
      ? [
          invalidField(
            `${path}.procMount`,
            procMount,
            '`hostUsers` must be false to use `Unmasked`',
          ),
        ]
      : []),
    ...seccompErrors(`${path}.seccompProfile`, context.seccompProfile),
    ...refuse(isHeld && privileged === true, '`privileged` to true'),
    ...refuse(
      isHeld && capabilities?.add?.includes('CAP_SYS_ADMIN') === true,
      '`capabilities.Add` CAP_SYS_ADMIN',
    ),
    ...windowsErrors(`${path}.windowsOptions`, context.windowsOptions),
    ...appArmorErrors(`${path}.appArmorProfile`, context.appArmorProfile),
  ]
}

const sysctl = '([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?'
const wholeSysctl = /^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$/
const sysctlText = `must have at most 253 characters and match regex ^${sysctl}$`

/** Source: Kubernetes API reference, PodSecurityContext v1. */
export function podSecurityErrors(path: string, context: PodSecurityContext): FieldError[] {
  const { supplementalGroups = [], sysctls = [] } = context
  const isRepeat = repeats(sysctls.map(({ name = '' }) => name))
  return [
    ...between(`${path}.fsGroup`, context.fsGroup, ids),
    ...between(`${path}.runAsUser`, context.runAsUser, ids),
    ...between(`${path}.runAsGroup`, context.runAsGroup, ids),
    ...supplementalGroups.flatMap((id, index) =>
      between(`${path}.supplementalGroups[${index}]`, id, ids),
    ),
    ...sysctls.flatMap(({ name = '' }, index) =>
      sysctlErrors(`${path}.sysctls[${index}].name`, name, isRepeat[index] === true),
    ),
    ...optionalChoice(`${path}.seLinuxChangePolicy`, context.seLinuxChangePolicy, ['Recursive']),
    ...optionalChoice(`${path}.fsGroupChangePolicy`, context.fsGroupChangePolicy, [
      'Always',
      'OnRootMismatch',
    ]),
    ...seccompErrors(`${path}.seccompProfile`, context.seccompProfile),
    ...windowsErrors(`${path}.windowsOptions`, context.windowsOptions),
    ...appArmorErrors(`${path}.appArmorProfile`, context.appArmorProfile),
    ...optionalChoice(`${path}.supplementalGroupsPolicy`, context.supplementalGroupsPolicy, [
      'Merge',
      'Strict',
    ]),
  ]
}

function sysctlErrors(path: string, name: string, isRepeated: boolean): FieldError[] {
  if (name === '') return [requiredField(path)]
  const isFitting = name.length <= 253 && wholeSysctl.test(name)
  return [
    ...(isFitting ? [] : [invalidField(path, name, sysctlText)]),
    ...(isRepeated ? [duplicateField(path, name)] : []),
  ]
}

function seccompErrors(path: string, profile: SeccompProfile | undefined): FieldError[] {
  if (profile === undefined) return []
  const { type = '', localhostProfile: file } = profile
  const errors = profileTypeErrors(path, type, 'seccompProfile')
  const at = `${path}.localhostProfile`
  if (type !== 'Localhost') {
    return file === undefined
      ? errors
      : [
          ...errors,
          invalidField(
            at,
            { Type: type, LocalhostProfile: file },
            'can only be set when seccomp type is Localhost',
          ),
        ]
  }
  if ((file ?? '') === '') {
    return [...errors, requiredField(at, 'must be set when seccomp type is Localhost')]
  }
  return [...errors, ...belowErrors(at, file ?? '')]
}

function appArmorErrors(path: string, profile: AppArmorProfile | undefined): FieldError[] {
  if (profile === undefined) return []
  const { type = '', localhostProfile: file } = profile
  const at = `${path}.localhostProfile`
  const errors = profileTypeErrors(path, type, 'appArmorProfile')
  if (type !== 'Localhost') {
    if (file === undefined || type === '') return errors
    return [...errors, invalidField(at, file, 'can only be set when AppArmor type is Localhost')]
  }
  if ((file ?? '').trim() === '') {
    return [...errors, requiredField(at, 'must be set when AppArmor type is Localhost')]
  }
  const isPadded = file !== file?.trim()
  return isPadded
    ? [...errors, invalidField(at, file, 'must not be padded with whitespace')]
    : errors
}

function profileTypeErrors(path: string, type: string, field: string): FieldError[] {
  return type === ''
    ? [requiredField(`${path}.type`, `type is required when ${field} is set`)]
    : oneOf(`${path}.type`, type, profileTypes)
}

function belowErrors(path: string, file: string): FieldError[] {
  if (file.startsWith('/')) return [invalidField(path, file, 'must be a relative path')]
  return file.split('/').includes('..') ? [invalidField(path, file, "must not contain '..'")] : []
}

const userCharacters = /["/\\:;|=,+*?<>@[\]]/

function windowsErrors(path: string, options: WindowsOptions | undefined): FieldError[] {
  if (options === undefined) return []
  const { gmsaCredentialSpec: spec, runAsUserName: user } = options
  return [
    ...givenName(`${path}.gmsaCredentialSpecName`, options.gmsaCredentialSpecName, subdomainErrors),
    ...(spec === ''
      ? [
          invalidField(
            `${path}.gmsaCredentialSpec`,
            spec,
            'gmsaCredentialSpec cannot be an empty string',
          ),
        ]
      : []),
    ...(user === undefined ? [] : userErrors(`${path}.runAsUserName`, user)),
  ]
}

/** `DOMAIN\user`. */
function userErrors(path: string, user: string): FieldError[] {
  if (user === '') return [invalidField(path, user, 'runAsUserName cannot be an empty string')]
  const name = user.slice(user.indexOf('\\') + 1)
  const detail = `runAsUserName's User cannot contain the following characters: "/\\:;|=,+*?<>@[]`
  return userCharacters.test(name) ? [invalidField(path, user, detail)] : []
}

/** Which system the pod is for. */
export function systemErrors(path: string, os: { name?: string } | undefined): FieldError[] {
  if (os === undefined) return []
  const { name = '' } = os
  const missing = given(`${path}.name`, name)
  return missing.length > 0
    ? missing
    : ['linux', 'windows'].includes(name)
      ? []
      : [notSupportedField(path, name, ['linux', 'windows'])]
}
