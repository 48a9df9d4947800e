import { invalidField, type FieldError } from '../../../../../meta/fieldErrors.ts'
import { errorIf } from '../../../../fieldChecks.ts'
import type { PodSpec } from '../../../shapes/coreV1.ts'
import { placedContainers } from '../containerPaths.ts'

const allText =
  'If pod contains any hostProcess containers then all containers must be HostProcess containers'
const networkText = 'hostNetwork must be true if pod contains any hostProcess containers'

/**
 * Errors for containers that run as processes of a Windows host: all containers of a pod, or none,
 * must do so. `path` leads to its spec.
 * Source: seen on kube-apiserver 1.37.2.
 */
export function hostProcessErrors(path: string, spec: PodSpec): FieldError[] {
  const ofPod = spec.securityContext?.windowsOptions?.hostProcess
  const own = placedContainers(path, spec).map(({ at, container }) => ({
    at: `${at}.securityContext.windowsOptions.hostProcess`,
    isOne: container.securityContext?.windowsOptions?.hostProcess,
  }))
  const differing = own.flatMap(({ at, isOne }) =>
    errorIf(ofPod !== undefined && isOne !== undefined && ofPod !== isOne, () =>
      invalidField(
        at,
        isOne,
        `pod hostProcess value must be identical if both are specified, was ${String(ofPod)}`,
      ),
    ),
  )
  const count = own.filter(({ isOne = ofPod }) => isOne === true).length
  if (count === 0) return differing
  return [
    ...differing,
    ...errorIf(count !== own.length, () => invalidField(path, '', allText)),
    ...errorIf(spec.hostNetwork !== true, () =>
      invalidField(`${path}.hostNetwork`, false, networkText),
    ),
  ]
}
