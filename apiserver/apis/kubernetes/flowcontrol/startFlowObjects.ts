import type { FlowSchemaSpec, PriorityLevelConfigurationSpec } from '../shapes/flowcontrolV1.ts'
import startFlowObjects from './startFlowObjects.json' with { type: 'json' }

interface StartFlowObjects {
  /** Mandatory levels: their spec is fixed, except for the share of the exempt one. */
  mandatoryLevels: readonly StartObject<PriorityLevelConfigurationSpec>[]
  /** Initial levels of a plane, which users may change. */
  suggestedLevels: readonly StartObject<PriorityLevelConfigurationSpec>[]
  /** Mandatory schemas: their spec is fixed. */
  mandatorySchemas: readonly StartObject<FlowSchemaSpec>[]
  /** Initial schemas of a plane, which users may change. */
  suggestedSchemas: readonly StartObject<FlowSchemaSpec>[]
}

export interface StartObject<Spec> {
  name: string
  spec: Spec
}

/** Priority levels and flow schemas of a new plane. Source: recorded from kube-apiserver 1.37.2. */
export const { mandatoryLevels, suggestedLevels, mandatorySchemas, suggestedSchemas } =
  startFlowObjects as StartFlowObjects
