import { send, type Side } from '../../side.ts'

/** Schema as published by OpenAPI v3, with its references. */
export interface PublishedSchema {
  $ref?: string
  allOf?: readonly PublishedSchema[]
  oneOf?: readonly PublishedSchema[]
  type?: string
  format?: string
  enum?: readonly unknown[]
  properties?: Readonly<Record<string, PublishedSchema>>
  required?: readonly string[]
  items?: PublishedSchema
  additionalProperties?: PublishedSchema | boolean
  'x-kubernetes-int-or-string'?: boolean
  'x-kubernetes-group-version-kind'?: readonly { group: string; version: string; kind: string }[]
}

/** Schemas of the group versions that were read from a server. */
export class PublishedSchemas {
  readonly #named = new Map<string, PublishedSchema>()
  readonly #server: Side

  constructor(server: Side) {
    this.#server = server
  }

  /** Reads the document of a group version, once. */
  async read(apiVersion: string): Promise<void> {
    const path = apiVersion.includes('/') ? `apis/${apiVersion}` : `api/${apiVersion}`
    const { body } = await send(this.#server, { path: `/openapi/v3/${path}` })
    // The document has the form of OpenAPI v3.
    const { components } = JSON.parse(body) as {
      components: { schemas: Record<string, PublishedSchema> }
    }
    for (const [name, schema] of Object.entries(components.schemas)) this.#named.set(name, schema)
  }

  /** Schema of a kind. @throws Error if no document has one. */
  of({ apiVersion, kind }: { apiVersion: string; kind: string }): PublishedSchema {
    const [version = '', group = ''] = apiVersion.split('/').reverse()
    for (const schema of this.#named.values()) {
      const kinds = schema['x-kubernetes-group-version-kind'] ?? []
      if (kinds.some((one) => one.kind === kind && one.group === group && one.version === version))
        return schema
    }
    throw new Error(`no schema of ${apiVersion} ${kind} is published`)
  }

  /** The schema itself, or the target of its reference. */
  resolved(schema: PublishedSchema): PublishedSchema {
    const { allOf: [only] = [] } = schema
    const reference = schema.$ref ?? only?.$ref
    const found = this.#named.get(reference?.split('/').at(-1) ?? '')
    return found ?? schema
  }
}
