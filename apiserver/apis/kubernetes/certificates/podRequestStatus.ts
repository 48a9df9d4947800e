import { X509Certificate } from 'node:crypto'
import {
  invalidField,
  notSupportedField,
  requiredField,
  tooLongField,
  valuelessField,
  type FieldError,
} from '../../../meta/fieldErrors.ts'
import { errorIf, isSame } from '../../fieldChecks.ts'
import { metaConditionErrors } from '../metaConditions.ts'
import type { PodCertificateRequestStatus } from '../shapes/certificatesV1.ts'
import type { Condition } from '../shapes/metaV1.ts'
import { pemBlocks } from './pemBlocks.ts'
import type { PodRequest } from './podRequestShapes.ts'
import { requestKey } from './signingRequest.ts'

const types = ['Issued', 'Denied', 'Failed']
const maxChainBytes = 100 * 1024
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const chain = 'status.certificateChain'

/**
 * Validates a new status, which is written once, when the request is decided.
 * Source: Kubernetes API reference, PodCertificateRequestStatus v1; seen on kube-apiserver 1.37.2.
 */
export function podRequestStatusErrors(next: PodRequest, old: PodRequest): FieldError[] {
  const { conditions = [] } = next.status ?? {}
  const errors = [
    ...conditions.flatMap((one, at) => typeErrors(one, at)),
    ...severalErrors(conditions),
    ...metaConditionErrors('status.conditions', conditions),
  ]
  return errors.length > 0 ? errors : decisionErrors(next, old)
}

function decisionErrors(next: PodRequest, old: PodRequest): FieldError[] {
  const refuse = (isWrong: boolean, detail: string) =>
    errorIf(isWrong, () => valuelessField('status', detail))
  const isChanged = !isSame(next.status ?? {}, old.status ?? {})
  if (stateOf(old) !== undefined) {
    return refuse(isChanged, 'immutable after PodCertificateRequest is issued, denied, or failed')
  }
  const state = stateOf(next)
  if (state === 'Issued') return issuedErrors(next, old)
  if (state === undefined) return refuse(isChanged, undecided)
  const others = Object.keys(next.status ?? {}).filter((field) => field !== 'conditions')
  return refuse(others.length > 0, conditionsAlone)
}

const undecided = 'status is immutable unless transitioning to "Issued", "Denied", or "Failed"'
const conditionsAlone =
  'non-condition status fields must be empty when denying or failing the PodCertificateRequest'

function typeErrors({ type = '', status = '' }: Condition, at: number): FieldError[] {
  const path = `status.conditions.[${at}]`
  if (!types.includes(type)) return [notSupportedField(`${path}.type`, type, types)]
  return errorIf(status !== 'True', () => notSupportedField(`${path}.status`, status, ['True']))
}

function severalErrors(conditions: readonly Condition[]): FieldError[] {
  const detail = 'There may be at most one condition with type "Issued", "Denied", or "Failed"'
  return conditions.flatMap(({ type = '' }, at) =>
    errorIf(at > 0 && types.includes(type), () =>
      invalidField(`status.conditions.[${at}].type`, type, detail),
    ),
  )
}

function stateOf({ status }: PodRequest): string | undefined {
  const found = (status?.conditions ?? []).find(({ type = '' }) => types.includes(type))
  return found?.type
}

function issuedErrors({ status = {} }: PodRequest, { spec = {} }: PodRequest): FieldError[] {
  const text = status.certificateChain ?? ''
  if (Buffer.byteLength(text) > maxChainBytes) return [tooLongField(chain, maxChainBytes)]
  const refuse = (detail: string) => [invalidField(chain, text, detail)]
  const [leaf, ...others] = pemBlocks(text)
  if (leaf === undefined) {
    return refuse('issued certificate chain must contain at least one certificate')
  }
  if (leaf.type !== 'CERTIFICATE') {
    return refuse('issued certificate chain must consist entirely of CERTIFICATE PEM blocks')
  }
  const certificate = parsed(leaf.der)
  if (certificate === undefined) return refuse('leaf certificate does not parse as valid X.509')
  const errors = certificateErrors(certificate, text, { status, spec })
  if (errors.length > 0) return errors
  const isRight = others.every((one) => one.type === 'CERTIFICATE' && parsed(one.der) !== undefined)
  return isRight ? [] : refuse('intermediate certificate does not parse as valid X.509')
}

function certificateErrors(
  certificate: X509Certificate,
  text: string,
  { status, spec }: Required<Pick<PodRequest, 'status' | 'spec'>>,
): FieldError[] {
  const wanted = requestKey(Buffer.from(spec.stubPKCS10Request ?? '', 'base64'))
  if (wanted?.key.equals(certificate.publicKey) === false) {
    const detail = 'leaf certificate was not issued to the requested public key'
    return [invalidField(chain, text, detail)]
  }
  return timeErrors(status, certificate, spec.maxExpirationSeconds ?? 0)
}

function parsed(der: Buffer): X509Certificate | undefined {
  try {
    return new X509Certificate(der)
  } catch {
    return undefined
  }
}

const within = 'must be present and in the range [notbefore+10min, notafter-10min]'
const consistent = 'must be present and consistent with the issued certificate'

/**
 * Errors for times that differ from those of the certificate, or that leave no time to renew it.
 */
function timeErrors(
  { notBefore, notAfter, beginRefreshAt }: PodCertificateRequestStatus,
  certificate: X509Certificate,
  maxSeconds: number,
): FieldError[] {
  if (notBefore === undefined || notAfter === undefined || beginRefreshAt === undefined) {
    return [
      ...errorIf(notBefore === undefined, () => requiredField('status.notBefore', consistent)),
      ...errorIf(notAfter === undefined, () => requiredField('status.notAfter', consistent)),
      ...errorIf(beginRefreshAt === undefined, () =>
        requiredField('status.beginRefreshAt', within),
      ),
    ]
  }
  const [from, to] = [Date.parse(certificate.validFrom), Date.parse(certificate.validTo)]
  const refresh = Date.parse(beginRefreshAt)
  const rows: [isWrong: boolean, field: string, value: unknown, detail: string][] = [
    [Date.parse(notBefore) !== from, 'notBefore', notBefore, certificateTime('NotBefore')],
    [Math.abs(from - Date.now()) > 5 * minuteMs, 'notBefore', notBefore, nearNow],
    [Date.parse(notAfter) !== to, 'notAfter', notAfter, certificateTime('NotAfter')],
    [to - from < hourMs, 'certificateChain', duration(to - from), tooShort],
    [to - from > maxSeconds * 1000, 'certificateChain', duration(to - from), tooLong(maxSeconds)],
    [refresh < from + 10 * minuteMs, 'beginRefreshAt', beginRefreshAt, afterBegin],
    [refresh > to - 10 * minuteMs, 'beginRefreshAt', beginRefreshAt, beforeEnd],
  ]
  const first = rows.find(([isWrong]) => isWrong)
  if (first === undefined) return []
  const [, field, value, detail] = first
  return [invalidField(`status.${field}`, value, detail)]
}

const nearNow = "must be set to within 5 minutes of kube-apiserver's current time"
const tooShort = 'leaf certificate lifetime must be >= 1 hour'
const afterBegin = 'must be at least 10 minutes after status.notBefore'
const beforeEnd = 'must be at least 10 minutes before status.notAfter'

function certificateTime(name: string): string {
  return `must be set to the ${name} time encoded in the leaf certificate`
}

function tooLong(maxSeconds: number): string {
  return `leaf certificate lifetime must be <= spec.maxExpirationSeconds (${maxSeconds})`
}

/** Duration in nanoseconds, as in error messages. */
function duration(ms: number): number {
  return ms * 1_000_000
}
