import {
  forbiddenField,
  invalidField,
  notSupportedField,
  requiredField,
  type FieldError,
} from '../../../meta/fieldErrors.ts'
import { labelErrors, subdomainErrors } from '../../../meta/names/nameValidation.ts'
import type { ApiObject } from '../../../meta/types.ts'
import { errorIf, isSame, optionalName } from '../../fieldChecks.ts'
import type { FlowSchemaSpec, PolicyRulesWithSubjects, Subject } from '../shapes/flowcontrolV1.ts'
import { flowRuleErrors } from './flowRules.ts'
import { flowSchemaSpec, shownFlowSchema } from './flowSchemaShapes.ts'
import { mandatorySchemas } from './startFlowObjects.ts'

const highestPrecedence = 10_000
const methods = ['ByNamespace', 'ByUser']

export function flowSchemaErrors(object: ApiObject): FieldError[] {
  const { name = '' } = object.metadata
  const spec = flowSchemaSpec(object)
  const { distinguisherMethod: method, rules = [] } = spec
  const level = spec.priorityLevelConfiguration?.name ?? ''
  const levelPath = 'spec.priorityLevelConfiguration.name'
  return [
    ...precedenceErrors('spec.matchingPrecedence', spec.matchingPrecedence ?? 0, name),
    ...errorIf(method !== undefined && !methods.includes(method.type ?? ''), () =>
      notSupportedField('spec.distinguisherMethod.type', { Type: method?.type ?? '' }, methods),
    ),
    ...errorIf(level === '', () => requiredField(levelPath, 'must reference a priority level')),
    ...optionalName(levelPath, level, subdomainErrors),
    ...rules.flatMap((rule, index) => ruleErrors(`spec.rules[${index}]`, rule)),
    ...mandatoryErrors(name, spec),
  ]
}

function precedenceErrors(path: string, precedence: number, name: string): FieldError[] {
  const onlyExempt = "only the schema named 'exempt' may have matchingPrecedence 1"
  return [
    ...errorIf(precedence <= 0, () => invalidField(path, precedence, 'must be a positive value')),
    ...errorIf(precedence > highestPrecedence, () =>
      invalidField(path, precedence, `must not be greater than ${highestPrecedence}`),
    ),
    ...errorIf(precedence === 1 && name !== 'exempt', () =>
      invalidField(path, precedence, onlyExempt),
    ),
  ]
}

/** Errors for mandatory schemas, whose spec is fixed. */
function mandatoryErrors(name: string, spec: FlowSchemaSpec): FieldError[] {
  const wanted = mandatorySchemas.find((schema) => schema.name === name)
  return errorIf(wanted !== undefined && !isSame(spec, wanted.spec), () =>
    invalidField('spec', shownFlowSchema(spec), `spec of '${name}' must equal the fixed value`),
  )
}

function ruleErrors(path: string, rule: PolicyRulesWithSubjects): FieldError[] {
  const subjects = rule.subjects ?? []
  const detail = 'subjects must contain at least one value'
  return [
    ...errorIf(subjects.length === 0, () => requiredField(`${path}.subjects`, detail)),
    ...subjects.flatMap((subject, index) => subjectErrors(`${path}.subjects[${index}]`, subject)),
    ...flowRuleErrors(path, rule),
  ]
}

/** Kinds of subjects in the order of messages, each with its field. */
const subjectFields = {
  Group: 'group',
  ServiceAccount: 'serviceAccount',
  User: 'user',
} as const
type SubjectKind = keyof typeof subjectFields

/** Order in which the fields of other kinds are refused, by kind. */
const otherKinds: Readonly<Record<SubjectKind, readonly SubjectKind[]>> = {
  Group: ['ServiceAccount', 'User'],
  ServiceAccount: ['User', 'Group'],
  User: ['ServiceAccount', 'Group'],
}

function subjectErrors(path: string, subject: Subject): FieldError[] {
  const { kind = '' } = subject
  if (!isSubjectKind(kind)) {
    return [notSupportedField(`${path}.kind`, kind, Object.keys(subjectFields))]
  }
  const refused = otherKinds[kind].flatMap((other) => {
    const field = subjectFields[other]
    const detail = `${field} is forbidden when subject kind is not '${other}'`
    return errorIf(subject[field] !== undefined, () => forbiddenField(`${path}.${field}`, detail))
  })
  return [...describedErrors(path, subject, kind), ...refused]
}

function isSubjectKind(kind: string): kind is SubjectKind {
  return Object.hasOwn(subjectFields, kind)
}

function describedErrors(path: string, subject: Subject, kind: SubjectKind): FieldError[] {
  const field = subjectFields[kind]
  const described = subject[field]
  const at = `${path}.${field}`
  if (described === undefined) {
    return [requiredField(at, `${field} is required when subject kind is '${kind}'`)]
  }
  const { name = '' } = described
  const errors = errorIf(name === '', () => requiredField(`${at}.name`))
  return kind === 'ServiceAccount' ? [...errors, ...accountErrors(at, subject)] : errors
}

function accountErrors(path: string, { serviceAccount = {} }: Subject): FieldError[] {
  const { name = '', namespace = '' } = serviceAccount
  const detail = 'must specify namespace for service account'
  return [
    ...(name === '*' ? [] : optionalName(`${path}.name`, name, subdomainErrors)),
    ...errorIf(namespace === '', () => requiredField(`${path}.namespace`, detail)),
    ...optionalName(`${path}.namespace`, namespace, labelErrors),
  ]
}
