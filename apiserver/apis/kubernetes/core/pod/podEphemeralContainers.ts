import { forbiddenField, type FieldError } from '../../../../meta/fieldErrors.ts'
import { goQuote } from '../../../../meta/goQuote.ts'
import type { ParentSubresource } from '../../../../registry/resource.ts'
import { isSame } from '../../../fieldChecks.ts'
import type { PodSpec } from '../../shapes/coreV1.ts'
import { mirrorAnnotation } from './rules/podAnnotations.ts'
import { podErrors } from './rules/podOnlyRules.ts'
import { keepAllButIdentity } from './podContent.ts'
import { asPod } from './podTypes.ts'

const path = 'spec.ephemeralContainers'

/** Adds containers to an existing pod for debugging; they are never removed. Source: Kubernetes API reference,
 *  EphemeralContainer v1. */
export const ephemeralContainersSubresource: ParentSubresource = {
  name: 'ephemeralcontainers',
  verbs: ['get', 'update', 'patch'],
  fields: [['f:spec', 'f:ephemeralContainers']],
  strategy: {
    prepareForUpdate: (next, old) => {
      const { ephemeralContainers } = asPod(next).spec
      keepAllButIdentity(next, old)
      const { spec } = asPod(next)
      delete spec.ephemeralContainers
      if (ephemeralContainers !== undefined) spec.ephemeralContainers = ephemeralContainers
    },
    validateUpdate: (next, old) => {
      const [pod, before] = [asPod({ ...next }), asPod({ ...old })]
      if (before.metadata.annotations?.[mirrorAnnotation] !== undefined) {
        return [forbiddenField('[]', 'static pods do not support ephemeral containers')]
      }
      return [...podErrors(pod), ...keptErrors(pod.spec, before.spec)]
    },
  },
}

function keptErrors({ ephemeralContainers: next = [] }: PodSpec, old: PodSpec): FieldError[] {
  return (old.ephemeralContainers ?? []).flatMap((before) => {
    const after = next.find(({ name }) => name === before.name)
    const named = `existing ephemeral containers ${goQuote(before.name ?? '')}`
    if (after === undefined) return [forbiddenField(path, `${named} may not be removed\n`)]
    return isSame(after, before) ? [] : [forbiddenField(path, `${named} may not be changed\n`)]
  })
}
