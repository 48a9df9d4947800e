import { keepMetadata } from '../../../registry/write/keepMetadata.ts'
import type { FieldError } from '../../../meta/fieldErrors.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { Column, ResourceDefinition } from '../../../registry/resource.ts'
import { ageColumn, nameColumn } from '../../../registry/table.ts'
import { cellColumn, textColumn, valueAt } from '../../columns.ts'
import { fillMissing } from '../../fill.ts'
import { bareStatusSubresource, builtInKind, type KindContext } from '../builtInKind.ts'
import type { QueuingConfiguration } from '../shapes/flowcontrolV1.ts'
import { conditionErrors } from './conditionRules.ts'
import { flowcontrolGroup } from './flowSchema.ts'
import { levelUnionErrors, priorityLevelErrors } from './priorityLevelRules.ts'
import { levelSpec } from './priorityLevelShapes.ts'

/**
 * Definition of the PriorityLevelConfiguration kind, stored for clients that read it; this server's own limits do not
 * depend on it.
 * Source: Kubernetes API reference, PriorityLevelConfiguration v1; seen on kube-apiserver 1.37.2.
 */
export function priorityLevelResource({ types }: KindContext): ResourceDefinition {
  return builtInKind(types, {
    group: flowcontrolGroup,
    version: 'v1',
    plural: 'prioritylevelconfigurations',
    kind: 'PriorityLevelConfiguration',
    namespaced: false,
    description: 'PriorityLevelConfiguration limits the concurrent requests of a priority level.',
    strategy: {
      metadata: { finalizersLast: true },
      generation: 'spec',
      setDefaults: setLevelDefaults,
      validate: levelErrors,
      validateUpdate: levelErrors,
    },
    subresources: [bareStatusSubresource(conditionErrors, { prepareForUpdate: keepMetadata })],
    columns: [
      nameColumn,
      textColumn('Type', 'spec.type', 'Whether requests of the level are limited.'),
      limitColumn('NominalConcurrencyShares', 'nominalConcurrencyShares', 'Share of all seats.'),
      queueColumn('Queues', 'queues', 'Number of queues.'),
      queueColumn('HandSize', 'handSize', 'Number of queues that a flow may use.'),
      queueColumn('QueueLengthLimit', 'queueLengthLimit', 'Maximum number of requests in a queue.'),
      ageColumn,
    ],
  })
}

function levelErrors(object: ApiObject): FieldError[] {
  return [...priorityLevelErrors(object), ...conditionErrors(object), ...levelUnionErrors(object)]
}

function queueColumn(name: string, field: keyof QueuingConfiguration, description: string): Column {
  return limitColumn(name, `limitResponse.queuing.${field}`, description)
}

function limitColumn(name: string, path: string, description: string): Column {
  return cellColumn(name, description, (object) => {
    const value = valueAt(object, `spec.limited.${path}`)
    return typeof value === 'number' ? value : '<none>'
  })
}

function setLevelDefaults(object: ApiObject): void {
  const { limited, exempt } = levelSpec(object)
  if (exempt !== undefined) fillMissing(exempt, { nominalConcurrencyShares: 0, lendablePercent: 0 })
  if (limited === undefined) return
  fillMissing(limited, { nominalConcurrencyShares: 30, lendablePercent: 0 })
  const { queuing } = limited.limitResponse ?? {}
  if (queuing === undefined) return
  queuing.queues ||= 64
  queuing.handSize ||= 8
  queuing.queueLengthLimit ||= 50
}
