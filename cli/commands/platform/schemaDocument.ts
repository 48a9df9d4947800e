import { at, type ApiObject } from '../../base/apiObject.ts'
import { CliError } from '../../base/cliError.ts'

const prefix = '#/components/schemas/'

/** Standalone JSON Schema of the platform's configuration, from an OpenAPI document. */
export function configSchemaIn(document: ApiObject): Record<string, unknown> {
  // Sound: an OpenAPI document has schemas by name.
  const schemas = (at(document, 'components', 'schemas') ?? {}) as Record<
    string,
    Record<string, unknown>
  >
  const [config] = Object.entries(schemas).find(([name]) => /\.Config$/.test(name)) ?? []
  if (config === undefined) throw new CliError('the server has no schema of its configuration')
  const status = JSON.stringify(at(schemas, config, 'properties', 'status') ?? {})
  const named = /"\$ref":"#\/components\/schemas\/([^"]+)"/.exec(status)?.[1]
  const needed = new Map<string, unknown>()
  const found = named === undefined ? (JSON.parse(status) as unknown) : schemas[named]
  const root = adopted(found, schemas, needed)
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Configuration of the platform',
    ...(root as Record<string, unknown>),
    definitions: Object.fromEntries(needed),
  }
}

/** Schema with references to `definitions`, which are collected. */
function adopted(
  value: unknown,
  schemas: Readonly<Record<string, unknown>>,
  needed: Map<string, unknown>,
): unknown {
  if (Array.isArray(value)) return value.map((item) => adopted(item, schemas, needed))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (key !== '$ref' || typeof inner !== 'string') return [key, adopted(inner, schemas, needed)]
      const name = inner.slice(prefix.length)
      if (!needed.has(name)) {
        needed.set(name, {})
        needed.set(name, adopted(schemas[name], schemas, needed))
      }
      return [key, `#/definitions/${name}`]
    }),
  )
}
