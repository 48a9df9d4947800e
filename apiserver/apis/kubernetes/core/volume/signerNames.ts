import { invalidField, requiredField, type FieldError } from '../../../../meta/fieldErrors.ts'
import { labelErrors, subdomainErrors } from '../../../../meta/names/nameValidation.ts'

const maxSegmentBytes = 253
const formText = 'must be a fully qualified domain and path of the form "example.com/signer-name"'

/** The name of a signer of certificates: a domain and a path.
 *  Source: Kubernetes documentation, "Certificate Signing Requests"; seen on kube-apiserver 1.37.2. */
export function signerErrors(path: string, name: string): FieldError[] {
  if (name === '') return [requiredField(path)]
  const segments = name.split('/')
  if (segments.length !== 2) return [invalidField(path, name, formText)]
  const [domain = '', rest = ''] = segments
  const labels = domain.split('.')
  if (labels.length < 2) {
    return [invalidField(path, domain, 'should be a domain with at least two segments separated by dots')]
  }
  return [
    ...labels.flatMap((label) => labelErrors(label).map((text) => invalidField(path, label, text))),
    ...pathProblems(rest).map((text) => invalidField(path, rest, text)),
  ]
}

function pathProblems(rest: string): string[] {
  const problems = rest.split('.').flatMap((part) => subdomainErrors(part))
  return rest.length > maxSegmentBytes ? [`must be no more than ${maxSegmentBytes} bytes`] : problems
}
