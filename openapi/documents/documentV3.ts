import type { Steps } from '../../apiserver/meta/waiting/steps.ts'
import { bearerToken, reasonPhrase } from './documentInfo.ts'
import type { DocumentInput } from './documentInput.ts'
import type {
  ContentV3,
  DocumentV3,
  OperationV3,
  ParameterV3,
  PathV3,
  RequestBodyV3,
  ResponseV3,
} from './openapi3.ts'
import type { PublishedSchema } from '../publishedSchema.ts'
import type { Body, Operation, Parameter, Route } from '../route.ts'
import { groupVersionPath } from '../resourceRoutes.ts'
import { SchemaPublisher } from '../schemaPublisher.ts'
import { operationsOf, sortedPaths } from '../sortedPaths.ts'

/**
 * OpenAPI 3.0 document for a key of the index, one group version or a discovery path; an unknown key has no paths.
 * Source: OpenAPI Specification 3.0.0; reference 6.5.
 */
export function* openapiV3Document(input: DocumentInput, key: string): Steps<DocumentV3> {
  const { set, info, definitions } = input
  const places = set.groupVersions().filter((one) => groupVersionPath(one) === `/${key}`)
  const publisher = new SchemaPublisher('v3', input.known(places), definitions)
  const routes = input.routes.get(key)?.() ?? []
  yield
  const paths = yield* sortedPaths(routes, (route) => pathItem(route, publisher))
  return {
    openapi: '3.0.0',
    info,
    paths,
    components: {
      schemas: publisher.definitions(),
      securitySchemes: { BearerToken: bearerToken },
    },
    security: [{ BearerToken: [] }],
  }
}

function pathItem(route: Route, publisher: SchemaPublisher): PathV3 {
  return {
    ...operationsOf(route, (operation) => operationObject(operation, publisher)),
    ...(route.parameters.length > 0 ? { parameters: route.parameters.map(parameterObject) } : {}),
  }
}

function operationObject(operation: Operation, publisher: SchemaPublisher): OperationV3 {
  const { id, tags, description, action, groupVersionKind } = operation
  const { parameters, body } = operation
  return {
    tags,
    description,
    operationId: id,
    ...(parameters.length > 0 ? { parameters: parameters.map(parameterObject) } : {}),
    ...(body && { requestBody: requestBody(body, operation.consumes, publisher) }),
    responses: responses(operation, publisher),
    ...(action !== undefined && { 'x-kubernetes-action': action }),
    ...(groupVersionKind && { 'x-kubernetes-group-version-kind': groupVersionKind }),
  }
}

function parameterObject({ name, in: place, description, type }: Parameter): ParameterV3 {
  return {
    name,
    in: place,
    description,
    ...(place === 'path' ? { required: true } : {}),
    schema: { type, uniqueItems: true },
  }
}

function requestBody(
  { schema, required }: Body,
  mediaTypes: readonly string[],
  publisher: SchemaPublisher,
): RequestBodyV3 {
  const content = contentOf(mediaTypes, publisher.body(schema))
  return { content, ...(required ? { required } : {}) }
}

function responses(
  { responses: bodies, produces }: Operation,
  publisher: SchemaPublisher,
): Record<string, ResponseV3> {
  const answers = Object.entries(bodies).map(([code, schema]): [string, ResponseV3] => [
    code,
    { description: reasonPhrase(code), content: contentOf(produces, publisher.body(schema)) },
  ])
  return { ...Object.fromEntries(answers), 401: { description: reasonPhrase('401') } }
}

function contentOf(mediaTypes: readonly string[], schema: PublishedSchema): ContentV3 {
  return Object.fromEntries(mediaTypes.map((type) => [type, { schema }]))
}
