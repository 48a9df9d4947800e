import { invalidField, requiredField, type FieldError } from '../../../../meta/fieldErrors.ts'
import { subdomainErrors } from '../../../../meta/names/nameValidation.ts'
import { errorIf, given } from '../../../fieldChecks.ts'
import { selectorErrors } from '../../selectorRules.ts'
import type { ClusterTrustBundleProjection } from '../../shapes/coreV1.ts'
import { signerErrors } from './signerNames.ts'
import { filePathErrors, userErrors } from './volumeFiles.ts'

const selectorText = 'labelSelector must be unset if name is specified'

/**
 * Errors for trusted certificates, selected by the name of a bundle or by a signer.
 * Source: Kubernetes API reference, ClusterTrustBundleProjection v1; seen on kube-apiserver 1.37.2.
 */
export function bundleErrors(path: string, bundle: ClusterTrustBundleProjection): FieldError[] {
  return [
    ...choiceErrors(path, bundle),
    ...given(`${path}.path`, bundle.path),
    ...userErrors(`${path}.user`, bundle.user),
    ...filePathErrors(`${path}.path`, bundle.path),
  ]
}

function choiceErrors(path: string, bundle: ClusterTrustBundleProjection): FieldError[] {
  const { name, signerName, labelSelector: selector } = bundle
  if (name !== undefined && signerName !== undefined) {
    const shown = {
      Name: name,
      SignerName: signerName,
      LabelSelector: selector ?? null,
      Optional: bundle.optional ?? null,
      Path: bundle.path ?? '',
      User: bundle.user ?? null,
    }
    return [invalidField(path, shown, 'only one of name and signerName may be used')]
  }
  if (name !== undefined) {
    return [
      ...errorIf(name === '', () => requiredField(`${path}.name`, 'must be a valid object name')),
      ...bundleNameErrors(`${path}.name`, name),
      ...errorIf(selector !== undefined, () =>
        invalidField(`${path}.labelSelector`, selector, selectorText),
      ),
    ]
  }
  if (signerName === undefined) {
    return [requiredField(path, 'either name or signerName must be specified')]
  }
  const at = `${path}.signerName`
  return [
    ...errorIf(signerName === '', () => requiredField(at, 'must be a valid signer name')),
    ...signerErrors(at, signerName),
    ...(selector === undefined ? [] : selectorErrors(`${path}.labelSelector`, selector)),
  ]
}

/**
 * Errors for the name of a signer's bundle, which begins with the name of the signer, with colons
 * in place of slashes.
 */
function bundleNameErrors(path: string, name: string): FieldError[] {
  const at = name.lastIndexOf(':')
  const own = at < 0 ? name : name.slice(at + 1)
  return subdomainErrors(own).map((text) =>
    invalidField(path, name, `not a valid clustertrustbundlename: ${text}`),
  )
}
