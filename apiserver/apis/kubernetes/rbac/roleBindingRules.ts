import {
  invalidField,
  notSupportedField,
  requiredField,
  type FieldError,
} from '../../../meta/fieldErrors.ts'
import { pathSegmentErrors, subdomainErrors } from '../../../meta/names/nameValidation.ts'
import type { ApiObject } from '../../../meta/types.ts'
import {
  rbacGroup,
  roleRefOf,
  subjectsOf,
  type RoleRef,
  type Subject,
} from '../../../authorization/rbac/policyRule.ts'

const subjectKinds = ['ServiceAccount', 'User', 'Group']

/** Errors for a binding that may refer to `roleKinds`. Source: reference 7.8, "Validation". */
export function bindingErrors(
  object: ApiObject,
  roleKinds: readonly string[],
  namespaced: boolean,
): FieldError[] {
  return [
    ...roleRefErrors(roleRefOf(object), roleKinds),
    ...subjectsOf(object).flatMap((subject, index) => {
      const path = `subjects[${index}]`
      const missing = subject.name === '' ? [requiredField(`${path}.name`)] : []
      return [...missing, ...subjectErrors(subject, path, namespaced)]
    }),
  ]
}

/** Errors for a changed role, which is immutable. */
export function roleRefChangeErrors(next: ApiObject, old: ApiObject): FieldError[] {
  const [now, before] = [roleRefOf(next), roleRefOf(old)]
  const { apiGroup, kind, name } = now
  if (apiGroup === before.apiGroup && kind === before.kind && name === before.name) return []
  const shown = { APIGroup: apiGroup, Kind: kind, Name: name }
  return [invalidField('roleRef', shown, 'field is immutable')]
}

function roleRefErrors({ apiGroup, kind, name }: RoleRef, kinds: readonly string[]): FieldError[] {
  const errors: FieldError[] = []
  if (apiGroup !== rbacGroup) {
    errors.push(notSupportedField('roleRef.apiGroup', apiGroup, [rbacGroup]))
  }
  if (!kinds.includes(kind)) errors.push(notSupportedField('roleRef.kind', kind, kinds))
  if (name === '') return [...errors, requiredField('roleRef.name')]
  return [
    ...errors,
    ...pathSegmentErrors(name).map((why) => invalidField('roleRef.name', name, why)),
  ]
}

function subjectErrors(subject: Subject, path: string, namespaced: boolean): FieldError[] {
  const { kind, apiGroup = '' } = subject
  if (kind === 'ServiceAccount') return accountErrors(subject, path, namespaced)
  if (!subjectKinds.includes(kind)) return [notSupportedField(`${path}.kind`, kind, subjectKinds)]
  return apiGroup === rbacGroup
    ? []
    : [notSupportedField(`${path}.apiGroup`, apiGroup, [rbacGroup])]
}

function accountErrors(subject: Subject, path: string, namespaced: boolean): FieldError[] {
  const { name, apiGroup = '', namespace = '' } = subject
  const nameTexts = name === '' ? [] : subdomainErrors(name)
  const errors = nameTexts.map((why) => invalidField(`${path}.name`, name, why))
  if (apiGroup !== '') errors.push(notSupportedField(`${path}.apiGroup`, apiGroup, ['']))
  if (!namespaced && namespace === '') errors.push(requiredField(`${path}.namespace`))
  return errors
}

/** Sets the defaults of decoding: the groups of the role and the subjects. Changes `object`. */
export function setBindingDefaults(object: ApiObject): void {
  // Guaranteed by the checked types of the body; both fields may still be missing.
  const role = object['roleRef'] as Partial<RoleRef> | undefined
  if (role !== undefined && (role.apiGroup ?? '') === '') {
    object['roleRef'] = { ...role, apiGroup: rbacGroup }
  }
  for (const subject of subjectsOf(object)) {
    const isNamed = subject.kind === 'User' || subject.kind === 'Group'
    if (isNamed && (subject.apiGroup ?? '') === '') subject.apiGroup = rbacGroup
  }
}
