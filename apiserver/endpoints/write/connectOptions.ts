import type { ApiObject } from '../../meta/types.ts'
import type { QueryParameter } from '../../registry/resource.ts'

/** Parameters that a query may contain more than once. */
const lists = new Set(['command', 'ports'])

/**
 * Options of a connection as an object for admission: the parameters of the query, without zero values.
 * Source: seen on kube-apiserver 1.37.2.
 */
export function connectOptions(
  { kind, version }: { kind: string; version: string },
  parameters: readonly QueryParameter[],
  query: URLSearchParams,
): ApiObject {
  const set = parameters.flatMap(({ name, type }): [string, unknown][] => {
    const values = query.getAll(name).map((value) => valueOf(value, type))
    if (lists.has(name)) return values.length === 0 ? [] : [[name, values]]
    const [first] = values
    return first === undefined || first === '' || first === false || first === 0
      ? []
      : [[name, first]]
  })
  // Options have no metadata.
  return { kind, apiVersion: version, ...Object.fromEntries(set) } as unknown as ApiObject
}

function valueOf(value: string, type: QueryParameter['type']): unknown {
  if (type === 'boolean') return ['', '1', 't', 'T', 'true', 'TRUE', 'True'].includes(value)
  return type === 'integer' ? Number(value) : value
}
