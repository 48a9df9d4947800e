import type {
  SwaggerBody,
  SwaggerDocument,
  SwaggerOperation,
  SwaggerParameter,
  SwaggerPath,
  SwaggerResponse,
} from '../documents/swagger.ts'
import { eachNamed, namedList, vendorExtensions, type Message } from './message.ts'
import { schemaMessage } from './schemaMessage.ts'

/** Document as the fields of `openapi.v2.Document`: maps are lists of named entries, and alternatives are tagged. */
export function documentMessage(document: SwaggerDocument): Message {
  const { swagger, info, paths, definitions, securityDefinitions, security } = document
  return {
    swagger,
    info,
    paths: { path: eachNamed(paths, pathMessage) },
    definitions: { additionalProperties: eachNamed(definitions, schemaMessage) },
    security: security.map((scheme) => ({
      additionalProperties: namedList(scheme, (scopes) => ({ value: scopes })),
    })),
    securityDefinitions: {
      additionalProperties: namedList(securityDefinitions, (apiKeySecurity) => ({
        apiKeySecurity,
      })),
    },
  }
}

function pathMessage({ parameters = [], ...operations }: SwaggerPath): Message {
  const messages = Object.entries(operations).map(([method, operation]): [string, Message] => [
    method,
    operationMessage(operation),
  ])
  return { ...Object.fromEntries(messages), parameters: parameters.map(parameterMessage) }
}

function operationMessage(operation: SwaggerOperation): Message {
  const { tags, description, operationId, produces, consumes, schemes } = operation
  return {
    tags,
    description,
    operationId,
    produces,
    consumes,
    schemes: [...schemes],
    parameters: (operation.parameters ?? []).map(parameterMessage),
    responses: { responseCode: namedList(operation.responses, responseMessage) },
    vendorExtension: vendorExtensions(operation),
  }
}

function parameterMessage(parameter: SwaggerBody | SwaggerParameter): Message {
  if (parameter.in === 'body') {
    const bodyParameter = { ...parameter, schema: schemaMessage(parameter.schema) }
    return { parameter: { bodyParameter } }
  }
  const kind = parameter.in === 'query' ? 'queryParameterSubSchema' : 'pathParameterSubSchema'
  return { parameter: { nonBodyParameter: { [kind]: parameter } } }
}

function responseMessage({ description, schema }: SwaggerResponse): Message {
  const body = schema && { schema: { schema: schemaMessage(schema) } }
  return { response: { description, ...body } }
}
