import type { Container, PodSpec } from '../../shapes/coreV1.ts'

const lists = ['initContainers', 'containers', 'ephemeralContainers'] as const

/** Container with its path in errors and warnings. */
export interface PlacedContainer {
  at: string
  container: Container
}

/** All containers of a pod, in the order of validation. `path` leads to the pod's spec. */
export function placedContainers(path: string, spec: PodSpec): PlacedContainer[] {
  return lists.flatMap((list) =>
    (spec[list] ?? []).map((container, index) => ({ at: `${path}.${list}[${index}]`, container })),
  )
}
