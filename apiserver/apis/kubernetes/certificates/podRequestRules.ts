import type { KeyObject } from 'node:crypto'
import {
  invalidField,
  requiredField,
  tooLongField,
  valuelessField,
  type FieldError,
} from '../../../meta/fieldErrors.ts'
import { subdomainErrors } from '../../../meta/names/nameValidation.ts'
import { errorIf } from '../../fieldChecks.ts'
import { annotationErrors } from '../core/volume/podCertificateRules.ts'
import { signerErrors } from '../core/volume/signerNames.ts'
import type { PodCertificateRequestSpec } from '../shapes/certificatesV1.ts'
import { requestKey } from './signingRequest.ts'

const maxUidBytes = 128
const maxRequestBytes = 10 * 1024
const hourSeconds = 3600
const daySeconds = 24 * hourSeconds
const curves = ['prime256v1', 'secp384r1', 'secp521r1']
const known = [...curves, 'secp224r1']
const moduli = [3072, 4096]

/** Validates a new request. Source: Kubernetes API reference, PodCertificateRequestSpec v1. */
export function requestedErrors(spec: PodCertificateRequestSpec): FieldError[] {
  const { signerName = '', unverifiedUserAnnotations: annotations = {} } = spec
  return [
    ...signerErrors('spec.signerName', signerName),
    ...annotationErrors('spec.unverifiedUserAnnotations', annotations),
    ...nameErrors('spec.podName', spec.podName),
    ...uidErrors('spec.podUID', spec.podUID),
    ...nameErrors('spec.serviceAccountName', spec.serviceAccountName),
    ...uidErrors('spec.serviceAccountUID', spec.serviceAccountUID),
    ...nameErrors('spec.nodeName', spec.nodeName),
    ...uidErrors('spec.nodeUID', spec.nodeUID),
    ...lifetimeErrors(spec),
    ...stubErrors(spec.stubPKCS10Request ?? ''),
  ]
}

function nameErrors(path: string, name = ''): FieldError[] {
  return subdomainErrors(name).map((text) => invalidField(path, name, text))
}

function uidErrors(path: string, uid = ''): FieldError[] {
  return [
    ...errorIf(uid === '', () => invalidField(path, uid, 'must not be empty')),
    ...errorIf(uid.length > maxUidBytes, () => tooLongField(path, maxUidBytes)),
  ]
}

function lifetimeErrors({
  signerName = '',
  maxExpirationSeconds,
}: PodCertificateRequestSpec): FieldError[] {
  const path = 'spec.maxExpirationSeconds'
  if (maxExpirationSeconds === undefined) return [requiredField(path, 'must be set')]
  const isOwn = /(^|\.)kubernetes\.io$/.test(signerName.split('/')[0] ?? '')
  const most = isOwn ? daySeconds : 91 * daySeconds
  if (maxExpirationSeconds >= hourSeconds && maxExpirationSeconds <= most) return []
  const detail = `must be in the range [${hourSeconds}, ${most}]`
  return [invalidField(path, maxExpirationSeconds, detail)]
}

const path = 'spec.stubPKCS10Request'
const needed =
  'exactly one of (stubPKCS10Request) or (pkixPublicKey, proofOfPossession) must be set'

/**
 * Errors for the stub request, which only proves possession of the key; its other content is
 * ignored.
 */
function stubErrors(base64: string): FieldError[] {
  const der = Buffer.from(base64, 'base64')
  if (der.length === 0) return [valuelessField('spec', needed)]
  if (der.length > maxRequestBytes) return [tooLongField(path, maxRequestBytes)]
  const found = requestKey(der)
  // Curves that web certificates do not use are not parsed.
  const curve = found?.key.asymmetricKeyDetails?.namedCurve
  if (found === undefined || (curve !== undefined && !known.includes(curve))) {
    return [valuelessField(path, 'must be a valid PKCS#10 CSR')]
  }
  const wrong = keyErrors(found.key)
  if (wrong.length > 0) return wrong
  return errorIf(!found.isSigned, () => valuelessField(path, 'invalid signature'))
}

function keyErrors({ asymmetricKeyType: type, asymmetricKeyDetails }: KeyObject): FieldError[] {
  const { namedCurve = '', modulusLength = 0 } = asymmetricKeyDetails ?? {}
  if (type === 'ed25519') return []
  if (type === 'ec') {
    const detail = 'elliptic public keys must use curve P256, P384, or P521'
    return errorIf(!curves.includes(namedCurve), () => invalidField(path, 'curve P-224', detail))
  }
  if (type === 'rsa') {
    const detail = 'RSA keys must have modulus size 3072 or 4096'
    return errorIf(!moduli.includes(modulusLength), () =>
      invalidField(path, `${modulusLength}-bit modulus`, detail),
    )
  }
  const detail = 'unknown public key type; supported types are Ed25519, ECDSA, and RSA'
  return [valuelessField(path, detail)]
}
