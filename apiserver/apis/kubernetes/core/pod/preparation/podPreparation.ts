import type { ApiObject } from '../../../../../meta/types.ts'
import type { RequestContext } from '../../../../../registry/strategy.ts'
import { takeAppArmorAnnotations } from '../rules/appArmorAnnotations.ts'
import { setPodLevelDefaults } from './podLevelDefaults.ts'
import { selectByOwnLabels } from './podSelectors.ts'
import { newPodStatus } from '../status/podStatus.ts'
import { asPod } from '../podTypes.ts'

/** Former annotations of init containers, which have no effect now. */
const droppedAnnotations = ['init-containers', 'init-container-statuses'].flatMap((name) => [
  `pod.beta.kubernetes.io/${name}`,
  `pod.alpha.kubernetes.io/${name}`,
])

/** Prepares a new pod for validation. Changes `object`. Source: seen on kube-apiserver 1.37.2. */
export function preparePod(object: ApiObject, context: RequestContext): void {
  const pod = asPod(object)
  const { metadata, spec } = pod
  for (const name of droppedAnnotations) {
    if (metadata.annotations !== undefined) Reflect.deleteProperty(metadata.annotations, name)
  }
  selectByOwnLabels(spec, metadata.labels ?? {})
  for (const text of takeAppArmorAnnotations(pod)) context.warn(text)
  setPodLevelDefaults(spec)
  pod.status = newPodStatus(spec, metadata.creationTimestamp ?? '')
}
