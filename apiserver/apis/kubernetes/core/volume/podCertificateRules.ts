import {
  invalidField,
  notSupportedField,
  requiredField,
  type FieldError,
} from '../../../../meta/fieldErrors.ts'
import { errorIf } from '../../../fieldChecks.ts'
import { labelKeyErrors } from '../../../../meta/names/nameValidation.ts'
import type { PodCertificateProjection } from '../../shapes/coreV1.ts'
import { signerErrors } from './signerNames.ts'
import { filePathErrors, userErrors } from './volumeFiles.ts'

const keyTypes = ['RSA3072', 'RSA4096', 'ECDSAP256', 'ECDSAP384', 'ECDSAP521', 'ED25519']
const files = ['credentialBundlePath', 'keyPath', 'certificateChainPath'] as const
const filesText = `specify at least one of credentialBundlePath, keyPath, and certificateChainPath`
const hourSeconds = 3600
const daySeconds = 24 * hourSeconds

/**
 * Errors for a certificate issued for the pod. Source: Kubernetes API reference,
 * PodCertificateProjection v1; seen on kube-apiserver 1.37.2.
 */
export function certificateErrors(
  path: string,
  certificate: PodCertificateProjection,
): FieldError[] {
  const { signerName = '', keyType = '' } = certificate
  return [
    ...signerErrors(`${path}.signerName`, signerName),
    ...annotationErrors(`${path}.userAnnotations`, certificate.userAnnotations ?? {}),
    ...userErrors(`${path}.user`, certificate.user),
    ...errorIf(!keyTypes.includes(keyType), () =>
      notSupportedField(`${path}.keyType`, keyType, keyTypes),
    ),
    ...lifetimeErrors(`${path}.maxExpirationSeconds`, certificate),
    ...files.flatMap((file) => filePathErrors(`${path}.${file}`, certificate[file])),
    ...errorIf(certificatePaths(certificate).length === 0, () => requiredField(path, filesText)),
  ]
}

/** Paths of a certificate's files. */
export function certificatePaths(certificate: PodCertificateProjection): string[] {
  return files.flatMap((file) =>
    (certificate[file] ?? '') === '' ? [] : [certificate[file] ?? ''],
  )
}

function lifetimeErrors(
  path: string,
  { signerName = '', maxExpirationSeconds: seconds }: PodCertificateProjection,
): FieldError[] {
  if (seconds === undefined) return []
  const isOwn = /(^|\.)kubernetes\.io$/.test(signerName.split('/')[0] ?? '')
  const most = isOwn ? daySeconds : 91 * daySeconds
  const refuse = (isWrong: boolean, bound: string) =>
    errorIf(isWrong, () =>
      invalidField(path, seconds, `if provided, maxExpirationSeconds must be ${bound}`),
    )
  return [
    ...refuse(seconds < hourSeconds, `>= ${hourSeconds}`),
    ...refuse(seconds > most, `<= ${most}`),
  ]
}

const annotationText = 'must be a domain-prefixed key (such as "acme.io/foo")'

/** Errors for annotations for the signer, each with the signer's prefix. */
export function annotationErrors(
  path: string,
  annotations: Readonly<Record<string, string>>,
): FieldError[] {
  return Object.keys(annotations)
    .map((key) => key.toLowerCase())
    .flatMap((key) => {
      if (key === '') return [requiredField(path)]
      return key.includes('/') || labelKeyErrors(key).length > 0
        ? labelKeyErrors(key).map((text) => invalidField(path, key, text))
        : [invalidField(path, key, annotationText)]
    })
}
