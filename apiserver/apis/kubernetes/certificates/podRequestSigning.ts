import { forbiddenField } from '../../../meta/fieldErrors.ts'
import { goQuote } from '../../../meta/goQuote.ts'
import { invalid } from '../../../meta/statusErrors.ts'
import type { Strategy } from '../../../registry/strategy.ts'
import { isSame } from '../../fieldChecks.ts'
import type { KindContext } from '../builtInKind.ts'
import type { PodRequest } from './podRequestShapes.ts'
import { podRequestStatusErrors } from './podRequestStatus.ts'

const group = 'certificates.k8s.io'

/**
 * Requires that users who decide about a request have the right to sign for its signer. Errors of
 * the status are reported first. Source: Kubernetes, "Certificate Signing Requests"; seen on
 * kube-apiserver 1.37.2.
 */
export function mayBeSigned(
  access: KindContext['access'],
): NonNullable<Strategy['authorizeWrite']> {
  return async (next: PodRequest, old: PodRequest | undefined, context) => {
    if (old === undefined || isSame(next.status ?? {}, old.status ?? {})) return
    if (podRequestStatusErrors(next, old).length > 0) return
    const signer = old.spec?.signerName ?? ''
    const { user } = context
    for (const name of [signer, `${signer.split('/')[0] ?? ''}/*`]) {
      const { allowed } = await access.of(context).authorize({
        ...{ user, verb: 'sign', isResource: true, path: '', namespace: '', name },
        ...{ group, version: '*', resource: 'signers', subresource: '' },
      })
      if (allowed) return
    }
    const why = `User ${goQuote(user.name)} is not permitted to "sign" for signer ${goQuote(signer)}`
    const kind = 'PodCertificateRequest'
    throw invalid({ group, kind }, old.metadata.name ?? '', [
      forbiddenField('spec.signerName', why),
    ])
  }
}
