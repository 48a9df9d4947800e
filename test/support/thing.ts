import type { ApiObject } from '../../apiserver/meta/types.ts'
import type { ResourceDefinition } from '../../apiserver/registry/resource.ts'
import type { Strategy } from '../../apiserver/registry/strategy.ts'

/**
 * Kind of most registry and watch tests: namespaced, with spec and status. `strategy` replaces
 * parts of its strategy.
 */
export function thingResource(strategy: Strategy = {}): ResourceDefinition {
  return {
    group: 'example.dev',
    version: 'v1',
    plural: 'things',
    singular: 'thing',
    kind: 'Thing',
    namespaced: true,
    verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
    schema: {
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          properties: {
            size: { type: 'integer', format: 'int64', omitEmpty: true },
            color: { type: 'string', omitEmpty: true },
            parts: { type: 'object', additionalProperties: { type: 'string' }, omitEmpty: true },
          },
        },
        status: { type: 'object', properties: { phase: { type: 'string', omitEmpty: true } } },
      },
    },
    strategy: { allowUnconditionalUpdate: true, ...strategy },
    selectableFields: { 'spec.color': (object) => colorOf(object) },
  }
}

/** Thing as sent by a client. */
export function thing(
  name: string,
  { spec = {}, namespace = 'default', ...metadata }: ThingOptions = {},
): ApiObject {
  return {
    kind: 'Thing',
    apiVersion: 'example.dev/v1',
    metadata: { ...(name === '' ? {} : { name }), namespace, ...metadata },
    spec,
  }
}

export type ThingOptions = ApiObject['metadata'] & { spec?: Record<string, unknown> }

function colorOf(object: ApiObject): string {
  // By the schema, spec is an object whose color is a string.
  return (object['spec'] as { color?: string } | undefined)?.color ?? ''
}
