import { randomUUID } from 'node:crypto'
import type { ApiObject } from '../../../../meta/types.ts'
import type { ResourceDefinition } from '../../../../registry/resource.ts'
import { builtInKind, type KindContext } from '../../builtInKind.ts'
import type { LimitRangeItem } from '../../shapes/coreV1.ts'
import { limitErrors } from './limitRules.ts'

/** Definition of the LimitRange kind, which admission enforces. Source: Kubernetes API reference, LimitRange v1. */
export function limitRangeResource({ types }: KindContext): ResourceDefinition {
  return builtInKind(types, {
    group: '',
    version: 'v1',
    plural: 'limitranges',
    kind: 'LimitRange',
    namespaced: true,
    shortNames: ['limits'],
    description: 'LimitRange limits the resources of individual objects in a namespace.',
    strategy: {
      metadata: { finalizersLast: true },
      generation: 'none',
      allowCreateOnUpdate: true,
      setDefaults: (object) => {
        for (const limit of limitsOf(object)) setLimitDefaults(limit)
      },
      // A limit range without a name gets a generated one, for compatibility.
      prepareForCreate: ({ metadata }) => {
        if ((metadata.name ?? '') === '') metadata.name = randomUUID()
      },
      validate: (object) => limitErrors(limitsOf(object)),
      validateUpdate: (object) => limitErrors(limitsOf(object)),
    },
  })
}

function limitsOf(object: ApiObject): LimitRangeItem[] {
  // Guaranteed by the schema.
  return (object['spec'] as { limits?: LimitRangeItem[] } | undefined)?.limits ?? []
}

/**
 * Sets the defaults of container limits: the default limit is the maximum; the default request is the default limit, or
 * else the minimum.
 */
function setLimitDefaults(limit: LimitRangeItem): void {
  if (limit.type !== 'Container') return
  limit.default = { ...limit.max, ...limit.default }
  limit.defaultRequest = { ...limit.min, ...limit.default, ...limit.defaultRequest }
}
