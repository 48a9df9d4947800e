import {
  invalidField,
  requiredField,
  tooLongField,
  type FieldError,
} from '../../../../meta/fieldErrors.ts'
import { goQuote } from '../../../../meta/goQuote.ts'
import { labelErrors, subdomainErrors } from '../../../../meta/names/nameValidation.ts'
import { errorIf } from '../../../fieldChecks.ts'

const maxDomainBytes = 253
const maxNameBytes = maxDomainBytes + 1 + 253 + 63 + 1
const formText = "must be a fully qualified domain and path of the form 'example.com/signer-name'"
const domainText = 'should be a domain with at least two segments separated by dots'

/**
 * Errors for the name of a certificate signer: a domain and a path.
 * Source: Kubernetes documentation, "Certificate Signing Requests"; seen on kube-apiserver 1.37.2.
 */
export function signerErrors(path: string, name: string): FieldError[] {
  if (name === '') return [requiredField(path)]
  const segments = name.split('/')
  if (segments.length !== 2) return [invalidField(path, name, formText)]
  const [domain = '', rest = ''] = segments
  return [
    ...errorIf(Buffer.byteLength(domain) > maxDomainBytes, () =>
      tooLongField(path, maxDomainBytes),
    ),
    ...firstProblems(domain, labelErrors).map((text) => invalidField(path, domain, text)),
    ...errorIf(!domain.includes('.'), () => invalidField(path, domain, domainText)),
    ...firstProblems(rest, subdomainErrors).map((text) => invalidField(path, rest, text)),
    ...errorIf(Buffer.byteLength(name) > maxNameBytes, () => tooLongField(path, maxNameBytes)),
  ]
}

/** Errors for the first invalid part between dots. */
function firstProblems(segment: string, rule: (part: string) => string[]): string[] {
  for (const part of segment.split('.')) {
    const problems = rule(part)
    if (problems.length > 0)
      return problems.map((text) => `validating label ${goQuote(part)}: ${text}`)
  }
  return []
}
