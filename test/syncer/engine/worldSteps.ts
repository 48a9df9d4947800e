import type { Key } from './naiveModel.ts'

export type Field = 'labels' | 'annotations'
export type Kind = 'services' | 'endpoints'
export interface Text {
  kind: Kind
  key: Key
  field: Field
  /** Name of the label or annotation. */
  name: string
  /** Value; null removes it. */
  value: string | null
}

const disturbances = ['cut', 'forget', 'restart', 'restart virtual', 'restart host'] as const
export type Disturbance = (typeof disturbances)[number]

/** Step of a run. */
export type Step = { do: Disturbance } | { do: 'turns'; count: number } | VirtualStep | HostStep

/** Steps of virtual cluster users. */
export type VirtualStep =
  | { do: 'create service'; key: Key; selects: boolean }
  | { do: 'create endpoints' | 'delete service' | 'delete endpoints'; key: Key }
  | { do: 'select'; key: Key; selects: boolean }
  | { do: 'port' | 'ip'; key: Key; value: number }
  | { do: 'delete namespace'; namespace: string }
  | ({ do: 'text' } & Text)

/** Steps of other clients on the host. */
export type HostStep =
  | { do: 'delete on host'; kind: Kind; key: Key }
  | { do: 'spoil on host'; kind: Kind; key: Key }
  | { do: 'port on host' | 'status on host'; key: Key; value: number }
  | ({ do: 'text on host' } & Text)

export function isDisturbance(step: Step): step is Step & { do: Disturbance } {
  return disturbances.some((what) => what === step.do)
}

export function isHostStep(step: VirtualStep | HostStep): step is HostStep {
  return step.do.endsWith(' on host')
}
