import { forbiddenField, type FieldError } from '../../../../../meta/fieldErrors.ts'
import { errorIf, notNegative } from '../../../../fieldChecks.ts'
import type { PodSpec } from '../../../shapes/coreV1.ts'
import { paddedImageErrors } from '../../container/containerRules.ts'
import { podAnnotationErrors } from './podAnnotations.ts'
import { podSpecErrors } from '../podRules.ts'
import { profileMatchErrors } from './profileAnnotations.ts'
import type { Pod } from '../podTypes.ts'

/** Errors that apply to pods but not to templates. Source: seen on kube-apiserver 1.37.2. */
export function podErrors({ metadata, spec }: Pod): FieldError[] {
  const { containers, initContainers = [] } = spec
  const grace = spec.terminationGracePeriodSeconds
  return [
    ...podAnnotationErrors(metadata.annotations ?? {}, spec),
    ...podSpecErrors('spec', spec, metadata),
    ...tokenErrors(spec),
    ...notNegative('spec.terminationGracePeriodSeconds', grace),
    ...(containers ?? []).flatMap((one, at) => paddedImageErrors(`spec.containers[${at}]`, one)),
    ...initContainers.flatMap((one, at) => paddedImageErrors(`spec.initContainers[${at}]`, one)),
  ]
}

const accountText = 'must not be specified when serviceAccountName is not set'

function tokenErrors({ serviceAccountName = '', volumes = [] }: PodSpec): FieldError[] {
  if (serviceAccountName !== '') return []
  return volumes.flatMap((volume, index) => {
    return (volume.projected?.sources ?? []).flatMap((source, at) =>
      errorIf('serviceAccountToken' in source, () =>
        forbiddenField(
          `spec.volumes[${index}].projected.sources[${at}].serviceAccountToken`,
          accountText,
        ),
      ),
    )
  })
}

const gatedText = 'cannot be set until all schedulingGates have been cleared'

/** Errors for a new pod: ephemeral containers are only added through their subresource. */
export function newPodErrors(pod: Pod): FieldError[] {
  const { ephemeralContainers = [], nodeName = '', schedulingGates = [] } = pod.spec
  return [
    ...podErrors(pod),
    ...errorIf(ephemeralContainers.length > 0, () =>
      forbiddenField('spec.ephemeralContainers', 'cannot be set on create'),
    ),
    ...errorIf(nodeName !== '' && schedulingGates.length > 0, () =>
      forbiddenField('spec.nodeName', gatedText),
    ),
    ...profileMatchErrors('spec', pod.spec, pod.metadata.annotations),
  ]
}
