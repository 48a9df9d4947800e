import { X509Certificate } from 'node:crypto'
import {
  forbiddenField,
  invalidField,
  notSupportedField,
  requiredField,
  type FieldError,
} from '../../../meta/fieldErrors.ts'
import { dns1035Errors } from '../../../meta/names/nameValidation.ts'
import type { DefinitionSpec } from '../../../customResources/definition.ts'
import { clientConfigErrors } from '../admissionregistration/clientConfigRules.ts'

const path = 'spec.conversion'
/** Path in error messages, from an older version of the API. */
const configPath = `${path}.webhookClientConfig`
const versionsPath = `${path}.conversionReviewVersions`

/**
 * Errors for a conversion. Source: apiextensions, validateCustomResourceConversion; seen on
 * kube-apiserver 1.37.2.
 */
export function conversionErrors({ conversion }: DefinitionSpec): FieldError[] {
  if (conversion === undefined) return []
  const { strategy = '', webhook } = conversion
  const { clientConfig, conversionReviewVersions: versions } = webhook ?? {}
  if (strategy === 'Webhook') {
    const config =
      clientConfig === undefined
        ? [requiredField(configPath, 'required when strategy is set to Webhook')]
        : [...clientConfigErrors(configPath, clientConfig), ...bundleErrors(clientConfig.caBundle)]
    return [...config, ...reviewVersionErrors(versions ?? [])]
  }
  const errors: FieldError[] = []
  if (strategy === '') errors.push(requiredField(`${path}.strategy`))
  else if (strategy !== 'None') {
    errors.push(notSupportedField(`${path}.strategy`, strategy, ['None', 'Webhook']))
  }
  const why = 'should not be set when strategy is not set to Webhook'
  if (clientConfig !== undefined) errors.push(forbiddenField(configPath, why))
  if ((versions ?? []).length > 0) errors.push(forbiddenField(versionsPath, why))
  return errors
}

function reviewVersionErrors(versions: readonly string[]): FieldError[] {
  if (versions.length === 0) return [requiredField(versionsPath)]
  const errors = versions.flatMap((version, at) => {
    const place = `${versionsPath}[${at}]`
    if (versions.indexOf(version) < at) return [invalidField(place, version, 'duplicate version')]
    return dns1035Errors(version).map((why) => invalidField(place, version, why))
  })
  if (versions.some((version) => version === 'v1' || version === 'v1beta1')) return errors
  return [
    ...errors,
    invalidField(versionsPath, versions, 'must include at least one of v1, v1beta1'),
  ]
}

function bundleErrors(bundle = ''): FieldError[] {
  if (bundle === '') return []
  const why = bundleProblem(Buffer.from(bundle, 'base64').toString())
  if (why === undefined) return []
  return [
    invalidField(`${configPath}.caBundle`, bundle, `unable to load root certificates: ${why}`),
  ]
}

/** Reason why no certificate can be read; undefined: valid. */
function bundleProblem(pem: string): string | undefined {
  if (!pem.includes('-----BEGIN ')) return 'unable to parse bytes as PEM block'
  const blocks = pem.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? []
  if (blocks.length === 0) return 'no valid certificate authority data seen'
  const isReadable = (block: string) => {
    try {
      return new X509Certificate(block).subject !== undefined
    } catch {
      return false
    }
  }
  if (blocks.some(isReadable)) return undefined
  return 'failed to parse certificate: x509: malformed certificate'
}
