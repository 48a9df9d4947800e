import type { Steps } from '../../apiserver/meta/waiting/steps.ts'
import { bearerToken, reasonPhrase } from './documentInfo.ts'
import type { DocumentInput } from './documentInput.ts'
import type { Body, Operation, Parameter, Route } from '../route.ts'
import { SchemaPublisher } from '../schemaPublisher.ts'
import { operationsOf, sortedPaths } from '../sortedPaths.ts'
import type {
  SwaggerBody,
  SwaggerDocument,
  SwaggerOperation,
  SwaggerParameter,
  SwaggerPath,
  SwaggerResponse,
} from './swagger.ts'

/**
 * The OpenAPI 2.0 document of everything served. Parameters are written out at each operation: kubectl before 1.28 does
 * not follow references to them. Source: OpenAPI Specification 2.0; reference 6.4.
 */
export function* openapiV2Document(input: DocumentInput): Steps<SwaggerDocument> {
  const { info, definitions } = input
  const publisher = new SchemaPublisher('v2', input.known(), definitions)
  yield
  const routes: Route[] = []
  for (const make of input.routes.values()) {
    routes.push(...make())
    yield
  }
  const paths = yield* sortedPaths(routes, (route) => pathItem(route, publisher))
  return {
    swagger: '2.0',
    info,
    paths,
    definitions: publisher.definitions(),
    securityDefinitions: { BearerToken: bearerToken },
    security: [{ BearerToken: [] }],
  }
}

function pathItem(route: Route, publisher: SchemaPublisher): SwaggerPath {
  return {
    ...operationsOf(route, (operation) => operationObject(operation, publisher)),
    ...(route.parameters.length > 0 ? { parameters: route.parameters.map(parameterObject) } : {}),
  }
}

function operationObject(operation: Operation, publisher: SchemaPublisher): SwaggerOperation {
  const { id, tags, description, action, groupVersionKind, body } = operation
  const parameters = [
    ...(body === undefined ? [] : [bodyParameter(body, publisher)]),
    ...operation.parameters.map(parameterObject),
  ]
  return {
    description,
    consumes: operation.consumes,
    produces: operation.produces,
    schemes: ['https'],
    tags,
    operationId: id,
    ...(parameters.length > 0 ? { parameters } : {}),
    responses: responses(operation, publisher),
    ...(action !== undefined && { 'x-kubernetes-action': action }),
    ...(groupVersionKind && { 'x-kubernetes-group-version-kind': groupVersionKind }),
  }
}

function bodyParameter({ schema, required }: Body, publisher: SchemaPublisher): SwaggerBody {
  const reference = publisher.body(schema)
  return { name: 'body', in: 'body', ...(required ? { required } : {}), schema: reference }
}

function parameterObject({ name, in: place, type, description }: Parameter): SwaggerParameter {
  return {
    uniqueItems: true,
    type,
    description,
    name,
    in: place,
    ...(place === 'path' ? { required: true } : {}),
  }
}

function responses(operation: Operation, publisher: SchemaPublisher) {
  const answers: Record<string, SwaggerResponse> = {}
  for (const [code, schema] of Object.entries(operation.responses)) {
    answers[code] = { description: reasonPhrase(code), schema: publisher.body(schema) }
  }
  return { ...answers, 401: { description: reasonPhrase('401') } }
}
