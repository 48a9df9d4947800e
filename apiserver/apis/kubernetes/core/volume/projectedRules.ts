import {
  forbiddenField,
  invalidField,
  requiredField,
  type FieldError,
} from '../../../../meta/fieldErrors.ts'
import { errorIf, given } from '../../../fieldChecks.ts'
import type { ServiceAccountTokenProjection, VolumeProjection } from '../../shapes/coreV1.ts'
import { bundleErrors } from './trustBundleRules.ts'
import { certificateErrors, certificatePaths } from './podCertificateRules.ts'
import {
  downwardErrors,
  filePathErrors,
  itemErrors,
  userErrors,
  type KeysSource,
} from './volumeFiles.ts'

/** Adds a path to those of the volume; `shown` is the value in the error for a duplicate. */
type Take = (file: string | undefined, shown?: string) => FieldError[]

/**
 * Errors for the sources of a projected volume, which share its paths. `path` leads to the volume.
 * Source: Kubernetes API reference, ProjectedVolumeSource v1; seen on kube-apiserver 1.37.2.
 */
export function projectionErrors(path: string, sources: readonly VolumeProjection[]): FieldError[] {
  const taken = new Set<string>()
  const take: Take = (file = '', shown = file) => {
    const isTaken = taken.has(file)
    taken.add(file)
    return errorIf(isTaken, () => invalidField(path, shown, 'conflicting duplicate paths'))
  }
  return sources.flatMap((source, index) => {
    const at = `${path}.sources[${index}]`
    const count = Object.values(source).filter((one) => one !== undefined).length
    return [
      ...sourceErrors(path, source, { at, take }),
      ...errorIf(count > 1, () =>
        forbiddenField(at, 'may not specify more than 1 volume type per source'),
      ),
    ]
  })
}

function sourceErrors(
  path: string,
  source: VolumeProjection,
  { at, take }: { at: string; take: Take },
): FieldError[] {
  const { secret, configMap, downwardAPI, serviceAccountToken: token } = source
  const { clusterTrustBundle: bundle, podCertificate: certificate } = source
  return [
    ...(secret ? keysErrors(`${at}.secret`, secret, take) : []),
    ...(configMap ? keysErrors(`${at}.configMap`, configMap, take) : []),
    ...(downwardAPI?.items ?? []).flatMap((item) => [
      ...downwardErrors(`${at}.downwardAPI`, item),
      ...((item.path ?? '') === '' ? [] : take(item.path)),
    ]),
    ...(token ? tokenErrors(path, token, `${at}.serviceAccountToken`) : []),
    ...(bundle ? [...bundleErrors(`${at}.clusterTrustBundle`, bundle), ...take(bundle.path)] : []),
    ...(certificate
      ? [
          ...certificateErrors(`${at}.podCertificate`, certificate),
          ...certificatePaths(certificate).flatMap((file) => take(file)),
        ]
      : []),
  ]
}

function keysErrors(path: string, source: KeysSource, take: Take): FieldError[] {
  const { name = '', items = [] } = source
  return [
    ...given(`${path}.name`, name),
    ...items.flatMap((item, index) => [
      ...itemErrors(`${path}.items[${index}]`, item),
      ...((item.path ?? '') === '' ? [] : take(item.path, name)),
    ]),
  ]
}

/** Errors for a token. The file path is reported at the volume's path, as in kube-apiserver. */
function tokenErrors(path: string, token: ServiceAccountTokenProjection, at: string): FieldError[] {
  const { expirationSeconds: seconds = 3600, path: file = '' } = token
  const lifetime = `${at}.expirationSeconds`
  return [
    ...errorIf(seconds < 600, () =>
      invalidField(lifetime, seconds, 'may not specify a duration less than 10 minutes'),
    ),
    ...errorIf(seconds > 2 ** 32, () =>
      invalidField(lifetime, seconds, 'may not specify a duration larger than 2^32 seconds'),
    ),
    ...(file === '' ? [requiredField(`${path}.path`)] : filePathErrors(`${path}.path`, file)),
    ...userErrors(`${at}.user`, token.user),
  ]
}
