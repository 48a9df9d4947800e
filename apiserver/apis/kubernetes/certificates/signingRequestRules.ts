import {
  duplicateField,
  forbiddenField,
  invalidField,
  notSupportedField,
  requiredField,
  type FieldError,
} from '../../../meta/fieldErrors.ts'
import { repeats } from '../../../meta/collections/repeats.ts'
import type { ApiObject } from '../../../meta/types.ts'
import { errorIf, givenList, isSame } from '../../fieldChecks.ts'
import { signerErrors } from '../core/volume/signerNames.ts'
import type {
  CertificateSigningRequestCondition,
  CertificateSigningRequestSpec,
} from '../shapes/certificatesV1.ts'
import { certificateProblem } from './certificateBlocks.ts'
import { signingRequestProblem } from './signingRequest.ts'
import { conditionsOfType, decisions, requestSpec, requestStatus } from './requestShapes.ts'

const usages = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
]
const legacySigner = 'kubernetes.io/legacy-unknown'
const minSeconds = 600
const certificatePath = 'status.certificate'
const conditionsPath = 'status.conditions'

/**
 * Errors for a request; `old` absent: a new object. An unchanged certificate is not validated
 * again.
 */
export function requestErrors(object: ApiObject, old?: ApiObject): FieldError[] {
  const { certificate = '' } = requestStatus(object)
  const isNew = old === undefined || (requestStatus(old).certificate ?? '') !== certificate
  const problem = isNew ? certificateProblem(certificate) : undefined
  return [
    ...specErrors(requestSpec(object)),
    ...conditionErrors(requestStatus(object).conditions ?? []),
    ...(problem === undefined
      ? []
      : [invalidField(certificatePath, '<certificate data>', problem)]),
  ]
}

function specErrors(spec: CertificateSigningRequestSpec): FieldError[] {
  const { request, signerName = '', expirationSeconds: seconds } = spec
  const given = spec.usages ?? []
  const isRepeated = repeats(given)
  const problem = signingRequestProblem(request ?? '')
  const legacy = 'the legacy signerName is not allowed via this API version'
  const tooShort = `may not specify a duration less than ${minSeconds} seconds (10 minutes)`
  return [
    ...(problem === undefined ? [] : [invalidField('spec.request', request ?? null, problem)]),
    ...givenList('spec.usages', given),
    ...given.flatMap((usage, index) =>
      usages.includes(usage) ? [] : [notSupportedField(`spec.usages[${index}]`, usage, usages)],
    ),
    ...given.flatMap((usage, index) =>
      isRepeated[index] === true ? [duplicateField(`spec.usages[${index}]`, usage)] : [],
    ),
    ...(signerName === legacySigner
      ? [invalidField('spec.signerName', signerName, legacy)]
      : signerErrors('spec.signerName', signerName)),
    ...errorIf(seconds !== undefined && seconds < minSeconds, () =>
      invalidField('spec.expirationSeconds', seconds, tooShort),
    ),
  ]
}

const finalTypes = ['Approved', 'Denied', 'Failed'] as const
const members = ['Approved', 'Denied'].map((type) => `conditions[{"type": "${type}"}]`)
const oneDecision = `must specify at most one of: ${members.map((one) => `\`${one}\``).join(', ')}`

function conditionErrors(conditions: readonly CertificateSigningRequestCondition[]): FieldError[] {
  const types = conditions.map(({ type = '' }) => type)
  const isRepeated = repeats(types)
  const errors = conditions.flatMap(({ type = '', status = '' }, index) => {
    const path = `${conditionsPath}[${index}]`
    const isFinal = finalTypes.some((one) => one === type)
    const known = isFinal ? ['True'] : ['False', 'True', 'Unknown']
    return [
      ...errorIf(type === '', () => requiredField(`${path}.type`)),
      ...errorIf(status === '', () => requiredField(`${path}.status`)),
      ...errorIf(status !== '' && !known.includes(status), () =>
        notSupportedField(`${path}.status`, status, known),
      ),
      ...errorIf(isRepeated[index] === true, () => duplicateField(`${path}.type`, type)),
    ]
  })
  const isBoth = types.includes('Approved') && types.includes('Denied')
  const shown = `{${members.join(', ')}}`
  return [...errors, ...errorIf(isBoth, () => invalidField(conditionsPath, shown, oneDecision))]
}

/** Changes that an endpoint allows: to the decision about a request, or to its certificate. */
interface Allowed {
  setsApproval?: boolean
  setsCertificate?: boolean
}

export function requestUpdateErrors(allowed: Allowed) {
  return (next: ApiObject, old: ApiObject): FieldError[] => [
    ...requestErrors(next, old),
    ...removalErrors(next, old),
    ...(allowed.setsApproval === true ? [] : decisionErrors(next, old)),
    ...certificateErrors(next, old, allowed),
  ]
}

function removalErrors(next: ApiObject, old: ApiObject): FieldError[] {
  return finalTypes
    .filter((type) => conditionsOfType(next, type).length < conditionsOfType(old, type).length)
    .map((type) =>
      forbiddenField(conditionsPath, `updates may not remove a condition of type "${type}"`),
    )
}

function decisionErrors(next: ApiObject, old: ApiObject): FieldError[] {
  return decisions.flatMap((type) => {
    const [after, before] = [conditionsOfType(next, type), conditionsOfType(old, type)]
    if (after.length < before.length || isSame(after, before)) return []
    const verb = after.length > before.length ? 'add' : 'modify'
    return [forbiddenField(conditionsPath, `updates may not ${verb} a condition of type "${type}"`)]
  })
}

function certificateErrors(next: ApiObject, old: ApiObject, allowed: Allowed): FieldError[] {
  const before = requestStatus(old).certificate ?? ''
  if ((requestStatus(next).certificate ?? '') === before) return []
  if (allowed.setsCertificate !== true) {
    return [forbiddenField(certificatePath, 'updates may not set certificate content')]
  }
  const detail = 'updates may not modify existing certificate content'
  return before === '' ? [] : [forbiddenField(certificatePath, detail)]
}
