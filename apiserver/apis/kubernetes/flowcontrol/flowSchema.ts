import type { ApiObject } from '../../../meta/types.ts'
import { keepMetadata } from '../../../registry/write/keepMetadata.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../../registry/table.ts'
import { asText, cellColumn, countColumn, textColumn, valueAt } from '../../columns.ts'
import { bareStatusSubresource, builtInKind, type KindContext } from '../builtInKind.ts'
import { conditionErrors, conditionsOf } from './conditionRules.ts'
import { flowSchemaErrors } from './flowSchemaRules.ts'
import { flowSchemaSpec } from './flowSchemaShapes.ts'

export const flowcontrolGroup = 'flowcontrol.apiserver.k8s.io'

const defaultPrecedence = 1000

/**
 * Definition of the FlowSchema kind, stored for clients that read it; this server's own limits do not depend on it.
 * Source: Kubernetes API reference, FlowSchema v1; seen on kube-apiserver 1.37.2.
 */
export function flowSchemaResource({ types }: KindContext): ResourceDefinition {
  return builtInKind(types, {
    group: flowcontrolGroup,
    version: 'v1',
    plural: 'flowschemas',
    kind: 'FlowSchema',
    namespaced: false,
    description: 'FlowSchema assigns requests to a priority level.',
    strategy: {
      metadata: { finalizersLast: true },
      generation: 'spec',
      setDefaults: (object) => {
        const spec = flowSchemaSpec(object)
        if ((spec.matchingPrecedence ?? 0) === 0) spec.matchingPrecedence = defaultPrecedence
      },
      validate: (object) => [...flowSchemaErrors(object), ...conditionErrors(object)],
      validateUpdate: (object) => [...flowSchemaErrors(object), ...conditionErrors(object)],
    },
    subresources: [bareStatusSubresource(conditionErrors, { prepareForUpdate: keepMetadata })],
    columns: [
      nameColumn,
      textColumn(
        'PriorityLevel',
        'spec.priorityLevelConfiguration.name',
        'Priority level of matching requests.',
      ),
      asText(
        countColumn(
          'MatchingPrecedence',
          'spec.matchingPrecedence',
          'Precedence among all schemas; the lowest number is matched first.',
        ),
      ),
      cellColumn('DistinguisherMethod', 'How requests are divided into flows.', methodText),
      ageColumn,
      cellColumn('MissingPL', 'Whether the priority level does not exist.', missingText),
    ],
  })
}

function methodText(object: ApiObject): string {
  const method = valueAt(object, 'spec.distinguisherMethod')
  return method === undefined ? '<none>' : (flowSchemaSpec(object).distinguisherMethod?.type ?? '')
}

function missingText(object: ApiObject): string {
  const dangling = conditionsOf(object).find(({ type }) => type === 'Dangling')
  return dangling === undefined ? '?' : (dangling.status ?? '')
}
