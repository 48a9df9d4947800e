import { goQuote } from '../../../meta/goQuote.ts'
import type { ApiObject } from '../../../meta/types.ts'
import { flowcontrolGroup } from './flowSchema.ts'
import {
  mandatoryFlowSchemas,
  suggestedFlowSchemas,
  type StartFlowSchema,
} from './startFlowSchemas.ts'
import { mandatoryPriorityLevels, suggestedPriorityLevels } from './startPriorityLevels.ts'

/** The priority levels that a plane starts with. */
export function startPriorityLevels(): ApiObject[] {
  return [...suggestedPriorityLevels, ...mandatoryPriorityLevels].map((level) =>
    startObject('PriorityLevelConfiguration', level),
  )
}

/** The flow schemas that a plane starts with. */
export function startFlowSchemas(): ApiObject[] {
  return [...suggestedFlowSchemas, ...mandatoryFlowSchemas].map((schema) => ({
    ...startObject('FlowSchema', schema),
    status: { conditions: [found(schema)] },
  }))
}

/** The condition that the priority level of a schema exists. */
function found({ spec }: StartFlowSchema): object {
  const level = goQuote(spec.priorityLevelConfiguration?.name ?? '')
  return {
    type: 'Dangling',
    status: 'False',
    reason: 'Found',
    message: `This FlowSchema references the PriorityLevelConfiguration object named ${level} and it exists`,
  }
}

function startObject(kind: string, { name, spec }: { name: string; spec: object }): ApiObject {
  return {
    kind,
    apiVersion: `${flowcontrolGroup}/v1`,
    metadata: { name, annotations: { 'apf.kubernetes.io/autoupdate-spec': 'true' } },
    spec: structuredClone(spec),
  }
}
