import type { Container, PodSpec } from './podTypes.ts'

const lists = ['initContainers', 'containers', 'ephemeralContainers'] as const

/** A container with the path that errors and warnings name it by. */
export interface PlacedContainer {
  at: string
  container: Container
}

/** All containers of a pod in the order in which rules look at them. `path` leads to the pod's spec. */
export function placedContainers(path: string, spec: PodSpec): PlacedContainer[] {
  return lists.flatMap((list) =>
    (spec[list] ?? []).map((container, index) => ({ at: `${path}.${list}[${index}]`, container })),
  )
}
