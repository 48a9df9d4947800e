import { asPod } from '../../../apis/kubernetes/core/pod/podTypes.ts'
import type { Container, PodSpec } from '../../../apis/kubernetes/shapes/coreV1.ts'
import { aggregateMessage, aggregateText, notSupportedField } from '../../../meta/fieldErrors.ts'
import { isObject } from '../../../meta/json/isObject.ts'
import { plainError } from '../../../meta/statusErrors.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { AdmissionRequest } from '../../../registry/admission.ts'
import type { AdmissionPlugin } from '../../admissionPlugin.ts'
import { isTarget } from '../podTarget.ts'
import { refusal } from './podRefusal.ts'

const policy = 'Always'

/**
 * Sets the pull policy of all images to Always, so that only users with access to an image can run
 * it. Source: Kubernetes, AlwaysPullImages.
 */
export const alwaysPullImages: AdmissionPlugin = {
  name: 'AlwaysPullImages',
  handles: (target) =>
    isTarget(target, { group: '', plural: 'pods', operations: ['CREATE', 'UPDATE'] }),
  mutate: (request) => {
    if (!hasNewImages(request) || request.object === undefined) return
    const spec = (asPod(request.object).spec ??= {})
    for (const [, container] of containersOf(spec)) container['imagePullPolicy'] = policy
    for (const [, image] of imageVolumes(spec)) image['pullPolicy'] = policy
  },
  validate: (request) => {
    if (!hasNewImages(request) || request.object === undefined) return
    const { spec = {} } = asPod(request.object)
    const errors = [
      ...containersOf(spec).map(([path, one]) =>
        check(`${path}.imagePullPolicy`, one['imagePullPolicy']),
      ),
      ...imageVolumes(spec).map(([path, one]) => check(`${path}.pullPolicy`, one['pullPolicy'])),
    ].flat()
    const texts = errors.map((error) => refusal(request, aggregateMessage([error])).message)
    if (texts.length > 0) throw plainError(aggregateText(texts))
  },
}

type Fields = Record<string, unknown>

function check(path: string, value: unknown) {
  return value === policy ? [] : [notSupportedField(path, value ?? '', [policy])]
}

function containersOf(spec: PodSpec): [path: string, container: Fields][] {
  return (['initContainers', 'containers', 'ephemeralContainers'] as const).flatMap((list) => {
    const containers: readonly Container[] = spec[list] ?? []
    return containers.map((one, at): [string, Fields] => [`spec.${list}[${at}]`, one as Fields])
  })
}

function imageVolumes({ volumes = [] }: PodSpec): [path: string, image: Fields][] {
  return volumes.flatMap((volume, at): [string, Fields][] => {
    const { image } = volume as Fields
    return isObject(image) ? [[`spec.volumes[${at}].image`, image]] : []
  })
}

/** Reports whether a write sets a new image; other updates leave the policies unchanged. */
function hasNewImages({ operation, object, oldObject }: AdmissionRequest): boolean {
  if (operation !== 'UPDATE') return true
  const images = (one: ApiObject | undefined) =>
    containersOf((one && asPod(one).spec) ?? {}).map(([, { image }]) => image)
  const known = new Set(images(oldObject))
  return images(object).some((image) => !known.has(image))
}
