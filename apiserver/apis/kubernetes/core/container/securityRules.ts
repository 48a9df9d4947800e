import {
  invalidField,
  requiredField,
  duplicateField,
  tooLongField,
  type FieldError,
} from '../../../../meta/fieldErrors.ts'
import { between, errorIf, oneOf, optionalChoice, pathBelow } from '../../../fieldChecks.ts'
import { repeats } from '../../../../meta/collections/repeats.ts'
import type {
  AppArmorProfile,
  PodSpec,
  SeccompProfile,
  SecurityContext,
} from '../../shapes/coreV1.ts'
import { shownContext } from './shownContext.ts'
import { windowsErrors } from './windowsRules.ts'

const ids = [0, 2147483647] as const
const profileTypes = ['Localhost', 'RuntimeDefault', 'Unconfined']
const procMounts = ['Default', 'Unmasked']

/** Errors for a security context. Source: Kubernetes API reference, SecurityContext v1. */
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
      ? [
          invalidField(
            path,
            shownContext(context),
            `cannot set \`allowPrivilegeEscalation\` to false and ${why}`,
          ),
        ]
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

/** Errors for a pod security context. Source: Kubernetes API reference, PodSecurityContext v1. */
export function podSecurityErrors(path: string, spec: PodSpec): FieldError[] {
  const context = spec.securityContext ?? {}
  const { supplementalGroups = [] } = context
  return [
    ...between(`${path}.fsGroup`, context.fsGroup, ids),
    ...between(`${path}.runAsUser`, context.runAsUser, ids),
    ...between(`${path}.runAsGroup`, context.runAsGroup, ids),
    ...supplementalGroups.flatMap((id, index) =>
      between(`${path}.supplementalGroups[${index}]`, id, ids),
    ),
    ...sysctlListErrors(`${path}.sysctls`, spec),
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
    ...optionalChoice(`${path}.seLinuxChangePolicy`, context.seLinuxChangePolicy, [
      'MountOption',
      'Recursive',
    ]),
  ]
}

function sysctlListErrors(path: string, spec: PodSpec): FieldError[] {
  const { sysctls = [] } = spec.securityContext ?? {}
  const isRepeat = repeats(sysctls.map(({ name = '' }) => name))
  return sysctls.flatMap(({ name = '' }, index) => {
    const at = `${path}[${index}].name`
    return [
      ...sysctlErrors(at, name, isRepeat[index] === true),
      ...hostSysctlErrors(at, name, spec),
    ]
  })
}

function sysctlErrors(path: string, name: string, isRepeated: boolean): FieldError[] {
  if (name === '') return [requiredField(path)]
  const isFitting = name.length <= 253 && wholeSysctl.test(name)
  if (!isFitting) return [invalidField(path, name, sysctlText)]
  return isRepeated ? [duplicateField(path, name)] : []
}

const sharedSysctls = [
  { field: 'hostNetwork', names: /^net\./ },
  { field: 'hostIPC', names: /^(kernel\.shm|kernel\.msg|fs\.mqueue\.)|^kernel\.sem$/ },
] as const

/**
 * Errors for sysctls in namespaces shared with the host. A name may have slashes instead of dots.
 */
function hostSysctlErrors(path: string, name: string, spec: PodSpec): FieldError[] {
  const isSlashed = /^[^.]*\//.test(name)
  const dotted = isSlashed ? name.replace(/[./]/g, (one) => (one === '/' ? '.' : '/')) : name
  const shared = sharedSysctls.find(
    ({ field, names }) => spec[field] === true && names.test(dotted),
  )
  return shared === undefined
    ? []
    : [invalidField(path, name, `may not be specified when '${shared.field}' is true`)]
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
  if (file === undefined) {
    return [...errors, requiredField(at, 'must be set when seccomp type is Localhost')]
  }
  return [...errors, ...pathBelow(at, file)]
}

function appArmorErrors(path: string, profile: AppArmorProfile | undefined): FieldError[] {
  if (profile === undefined) return []
  const { type = '', localhostProfile: file } = profile
  const at = `${path}.localhostProfile`
  const errors = profileTypeErrors(path, type, 'appArmorProfile')
  if (errors.length > 0) return errors
  if (type === 'Localhost') return appArmorFileErrors(at, file)
  return errorIf(file !== undefined, () =>
    invalidField(at, file, 'can only be set when AppArmor type is Localhost'),
  )
}

/** Maximum length of a path in bytes. */
const maxProfileBytes = 4095

function appArmorFileErrors(path: string, file = ''): FieldError[] {
  if (file === '') return [requiredField(path, 'must be set when AppArmor type is Localhost')]
  return [
    ...errorIf(file !== file.trim(), () =>
      invalidField(path, file, 'must not be padded with whitespace'),
    ),
    ...errorIf(Buffer.byteLength(file) > maxProfileBytes, () =>
      tooLongField(path, maxProfileBytes),
    ),
  ]
}

function profileTypeErrors(path: string, type: string, field: string): FieldError[] {
  return type === ''
    ? [requiredField(`${path}.type`, `type is required when ${field} is set`)]
    : oneOf(`${path}.type`, type, profileTypes)
}
