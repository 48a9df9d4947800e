import type { ApiClient } from '../api/client.ts'
import { apiVersionOf, type Kind } from '../api/kinds.ts'
import type { Schema } from './schema.ts'

interface Document {
  components?: { schemas?: Record<string, Schema> }
}

/** Fields of a kind, from the server's OpenAPI document. */
export class SchemaTree {
  readonly #schemas: Record<string, Schema>
  readonly #root: Schema

  private constructor(schemas: Record<string, Schema>, root: Schema) {
    this.#schemas = schemas
    this.#root = root
  }

  /** @returns undefined if the document lacks the kind. @throws as `ApiClient.call`. */
  static async load(client: ApiClient, kind: Kind): Promise<SchemaTree | undefined> {
    const path = kind.group === '' ? 'api/' : 'apis/'
    const document = await client.call<Document>(`/openapi/v3/${path}${apiVersionOf(kind)}`)
    const schemas = document.components?.schemas ?? {}
    const root = Object.values(schemas).find((schema) =>
      schema['x-kubernetes-group-version-kind']?.some(
        (one) => one.group === kind.group && one.version === kind.version && one.kind === kind.kind,
      ),
    )
    return root === undefined ? undefined : new SchemaTree(schemas, root)
  }

  /** Schema of a field; undefined: no such field. */
  at(path: readonly string[]): Schema | undefined {
    let found: Schema | undefined = this.resolved(this.#root)
    for (const key of path) {
      if (found?.items !== undefined) found = this.resolved(found.items)
      const more: Schema | boolean | undefined = found?.additionalProperties
      const next: Schema | undefined =
        found?.properties?.[key] ?? (typeof more === 'object' ? more : undefined)
      found = next === undefined ? undefined : this.resolved(next)
    }
    return found
  }

  fieldsAt(path: readonly string[]): [string, Schema][] {
    const schema = this.at(path)
    const target = schema?.items === undefined ? schema : this.resolved(schema.items)
    return Object.entries(target?.properties ?? {})
  }

  /** Schema of the object itself. */
  get root(): Schema {
    return this.#root
  }

  /** Resolves references; the description and the default beside a reference take precedence. */
  resolved(schema: Schema): Schema {
    const reference = schema.$ref ?? schema.allOf?.[0]?.$ref
    if (reference === undefined) return schema
    const target = this.#schemas[reference.slice(reference.lastIndexOf('/') + 1)] ?? {}
    const { $ref: _, allOf: __, ...beside } = schema
    return { ...target, ...beside }
  }
}
