import type { Answers, AnswerRequest, ParentManagement } from '../../registry/answers.ts'
import { withTimesOf } from '../../patch/apply/managers/timesOfParent.ts'
import type { AnsweredSubresource, ResourceDefinition } from '../../registry/resource.ts'
import type { ObjectName } from '../../registry/storeTypes.ts'
import { registryContext, type Exchange } from '../exchange.ts'
import { fieldManagement, type ManagedTarget } from '../write/fieldManagement.ts'
import type { WriteOptions } from '../write/writeOptions.ts'

/** The target of a request without a store. */
export interface AnsweredTarget {
  /** The kind of the bodies. */
  resource: ResourceDefinition
  answers: Answers
  /** The object; for a subresource its parent. */
  object: ObjectName
  verb: string
  /** Present for a subresource. */
  parent?: {
    resource: ResourceDefinition
    subresource: Pick<AnsweredSubresource, 'name' | 'stream'>
  }
}

/** Request for the kind's own handlers. `options`: options of a write. */
export function answerRequest(
  exchange: Exchange,
  { object, parent }: AnsweredTarget,
  options?: WriteOptions,
): AnswerRequest {
  const { query, audit, plane } = exchange
  const annotate = (key: string, value: string) => audit?.annotate(key, value)
  const request = { ...registryContext(exchange, options?.dryRun), ...object, query, annotate }
  if (parent === undefined || options === undefined) return request
  return {
    ...request,
    parent: timesKept(parentManagement(plane, parent, options)),
    managementOf: (kind, name, fieldManager) => {
      const resource = plane.resources.get(kind, kind.plural)
      if (resource === undefined) throw new Error(`${kind.plural} of ${kind.group} is not served`)
      const through = { resource, subresource: { name } }
      return parentManagement(plane, through, { ...options, fieldManager })
    },
  }
}

function parentManagement(
  plane: Exchange['plane'],
  parent: NonNullable<AnsweredTarget['parent']>,
  options: WriteOptions,
): ParentManagement {
  const store = plane.storeOf(parent.resource)
  const through = (paths: ManagedTarget['only'] & object) => {
    const only = paths.length === 0 ? {} : { only: paths }
    return fieldManagement({ ...parent, store, ...only }, options, plane.resources)
  }
  return {
    updated: (old, next, only) => through(only).updated(old, next),
    applied: (old, config, only) => through(only).applied(old, config),
  }
}

/**
 * Field management of a parent. Its subresource has separate managers, which keep the times of the
 * parent's entries.
 */
function timesKept(management: ParentManagement): ParentManagement {
  return {
    updated: (old, next, only) => withTimesOf(old, management.updated(old, next, only)),
    applied: (old, config, only) => withTimesOf(old, management.applied(old, config, only)),
  }
}
