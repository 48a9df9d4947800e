import { isDeepStrictEqual } from 'node:util'
import type { SwaggerDocument } from '../../openapi/documents/swagger.ts'
import { encodeDocument } from '../../openapi/protobuf/encodeDocument.ts'
import { jsonDocument } from '../discovery/servedDocument.ts'
import type { Document } from '../endpoints/documents/cacheableDocument.ts'
import type { Backend } from './backend.ts'
import type { RemoteSwagger } from './remoteOpenApi.ts'

type Members = Record<string, unknown>

interface Swagger extends Members {
  paths: Members
  definitions: Members
}

/**
 * OpenAPI v2 document of this server with the paths and definitions of others. A definition whose
 * name is taken by a different one is renamed. Source: Kubernetes, the aggregation of OpenAPI
 * documents.
 */
export function mergedSwagger(own: Document, backends: readonly Backend[]): Document {
  const found = backends.flatMap(({ openapi: { swagger } }) => swagger ?? [])
  if (found.length === 0) return own
  const merged = JSON.parse(own.body.toString()) as Swagger // created by this server
  for (const swagger of found) add(merged, swagger)
  return jsonDocument(merged, own.contentType)
}

function add(merged: Swagger, swagger: RemoteSwagger): void {
  const renamed = new Map<string, string>()
  for (const [name, definition] of Object.entries(swagger.definitions)) {
    const free = freeName(merged.definitions, name, definition)
    if (free !== name) renamed.set(name, free)
  }
  const { paths, definitions } = withNames(swagger, renamed)
  Object.assign(merged.definitions, definitions)
  Object.assign(merged.paths, paths)
}

function freeName(known: Members, name: string, definition: unknown): string {
  let free = name
  for (let count = 2; Object.hasOwn(known, free); count++) {
    if (isDeepStrictEqual(known[free], definition)) return free
    free = `${name}_v${count}`
  }
  return free
}

function withNames(swagger: RemoteSwagger, renamed: ReadonlyMap<string, string>): RemoteSwagger {
  if (renamed.size === 0) return swagger
  const text = JSON.stringify(swagger).replace(
    /"\$ref":"#\/definitions\/([^"]+)"/g,
    (whole, name: string) => {
      const next = renamed.get(name)
      return next === undefined ? whole : `"$ref":"#/definitions/${next}"`
    },
  )
  const { paths, definitions } = JSON.parse(text) as RemoteSwagger // parsed before
  const named = Object.entries(definitions).map(([name, definition]): [string, unknown] => [
    renamed.get(name) ?? name,
    definition,
  ])
  return { paths, definitions: Object.fromEntries(named) }
}

/** Document as protobuf, with the ETag of the JSON. */
export async function swaggerProtobuf({ body, etag }: Document): Promise<Document> {
  const encoded = await encodeDocument(JSON.parse(body.toString()) as SwaggerDocument)
  const contentType = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf'
  return { body: encoded, contentType, etag }
}
