import type { ApiObject } from '../../../meta/types.ts'
import { flowcontrolGroup } from './flowSchema.ts'
import { mandatoryFlowSchemas, suggestedFlowSchemas } from './startFlowSchemas.ts'
import { mandatoryPriorityLevels, suggestedPriorityLevels } from './startPriorityLevels.ts'

/** The priority levels that a plane starts with. */
export function startPriorityLevels(): ApiObject[] {
  return [...suggestedPriorityLevels, ...mandatoryPriorityLevels].map((level) =>
    startObject('PriorityLevelConfiguration', level),
  )
}

/** The flow schemas that a plane starts with. */
export function startFlowSchemas(): ApiObject[] {
  return [...suggestedFlowSchemas, ...mandatoryFlowSchemas].map((schema) =>
    startObject('FlowSchema', schema),
  )
}

function startObject(kind: string, { name, spec }: { name: string; spec: object }): ApiObject {
  return {
    kind,
    apiVersion: `${flowcontrolGroup}/v1`,
    metadata: { name, annotations: { 'apf.kubernetes.io/autoupdate-spec': 'true' } },
    spec: structuredClone(spec),
  }
}
