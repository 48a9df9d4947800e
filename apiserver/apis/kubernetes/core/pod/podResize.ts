import type { ParentSubresource } from '../../../../registry/resource.ts'
import type { Container, PodSpec } from '../../shapes/coreV1.ts'
import { keepAllButIdentity } from './podContent.ts'
import { setPodLevelDefaults } from './preparation/podLevelDefaults.ts'
import { podResizeErrors } from './rules/podResizeRules.ts'
import { keepPodResources } from './podUpdate.ts'
import { asPod } from './podTypes.ts'

const lists = ['containers', 'initContainers'] as const

/**
 * Changes the resources of an existing pod and its containers. They are only stored, since no node allocates them.
 * Source: Kubernetes documentation, "Resize CPU and Memory Resources assigned to Containers"; seen on kube-apiserver
 * 1.37.2.
 */
export const resizeSubresource: ParentSubresource = {
  name: 'resize',
  verbs: ['get', 'update', 'patch'],
  fields: [
    ['f:spec', 'f:resources'],
    ...lists.flatMap((list) =>
      ['f:resources', 'f:resizePolicy'].map((field) => ['f:spec', `f:${list}`, '*', field]),
    ),
  ],
  strategy: {
    prepareForUpdate: (next, old) => {
      const wanted = structuredClone(asPod(next).spec)
      // The rules refuse a change in the number of containers.
      if (isAsMany(wanted, asPod({ ...old }).spec)) {
        keepAllButIdentity(next, old)
        takeResources(asPod(next).spec, wanted)
      }
      keepPodResources(next, old)
      setPodLevelDefaults(asPod(next).spec)
    },
    validateUpdate: (next, old) => podResizeErrors(asPod({ ...next }), asPod({ ...old })),
  },
}

function isAsMany(next: PodSpec, old: PodSpec): boolean {
  return lists.every((list) => (next[list] ?? []).length === (old[list] ?? []).length)
}

/**
 * Copies the resources of containers; the rules refuse containers in another order or with other names. Changes `spec`.
 */
function takeResources(spec: PodSpec, wanted: PodSpec): void {
  take(spec, wanted, ['resources'])
  for (const list of lists) {
    const [own, others] = [spec[list] ?? [], wanted[list] ?? []]
    if (own.some(({ name }, index) => name !== others[index]?.name)) spec[list] = others
    else own.forEach((container, index) => takeContainer(container, others[index] ?? {}))
  }
}

function takeContainer(container: Container, wanted: Container): void {
  take(container, wanted, ['resources', 'resizePolicy'])
}

function take<T extends object>(target: T, source: T, fields: readonly (keyof T)[]): void {
  for (const field of fields) {
    Reflect.deleteProperty(target, field)
    if (source[field] !== undefined) target[field] = source[field]
  }
}
