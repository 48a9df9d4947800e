import { goQuote } from '../../../meta/goQuote.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { FlowSchemaSpec } from '../shapes/flowcontrolV1.ts'
import { flowcontrolGroup } from './flowSchema.ts'
import {
  mandatoryLevels,
  mandatorySchemas,
  suggestedLevels,
  suggestedSchemas,
  type StartObject,
} from './startFlowObjects.ts'

/** Initial priority levels of a plane. */
export function startPriorityLevels(): ApiObject[] {
  return [...suggestedLevels, ...mandatoryLevels].map((level) =>
    startObject('PriorityLevelConfiguration', level),
  )
}

/** Initial flow schemas of a plane. */
export function startFlowSchemas(): ApiObject[] {
  return [...suggestedSchemas, ...mandatorySchemas].map((schema) => ({
    ...startObject('FlowSchema', schema),
    status: { conditions: [found(schema)] },
  }))
}

/** Condition for a schema whose priority level exists. */
function found({ spec }: StartObject<FlowSchemaSpec>): object {
  const level = goQuote(spec.priorityLevelConfiguration?.name ?? '')
  return {
    type: 'Dangling',
    status: 'False',
    reason: 'Found',
    message: `This FlowSchema references the PriorityLevelConfiguration object named ${level} and it exists`,
  }
}

function startObject(kind: string, { name, spec }: StartObject<object>): ApiObject {
  return {
    kind,
    apiVersion: `${flowcontrolGroup}/v1`,
    metadata: { name, annotations: { 'apf.kubernetes.io/autoupdate-spec': 'true' } },
    spec: structuredClone(spec),
  }
}
