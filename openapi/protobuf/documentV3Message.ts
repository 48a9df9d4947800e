import type {
  ContentV3,
  DocumentV3,
  OperationV3,
  ParameterV3,
  PathV3,
  RequestBodyV3,
  ResponseV3,
} from '../documents/openapi3.ts'
import { eachNamed, namedList, vendorExtensions, type Message } from './message.ts'
import { schemaV3Message } from './schemaV3Message.ts'

/** The document as the fields of `openapi.v3.Document`: maps are lists of named entries, and references are tagged. */
export function documentV3Message(document: DocumentV3): Message {
  const { openapi, info, paths, components, security } = document
  return {
    openapi,
    info,
    paths: { path: eachNamed(paths, pathMessage) },
    components: {
      schemas: { additionalProperties: eachNamed(components.schemas, schemaV3Message) },
      securitySchemes: {
        additionalProperties: namedList(components.securitySchemes, (securityScheme) => ({
          securityScheme,
        })),
      },
    },
    security: security.map((scheme) => ({
      additionalProperties: namedList(scheme, (scopes) => ({ value: scopes })),
    })),
  }
}

function pathMessage({ parameters = [], ...operations }: PathV3): Message {
  const messages = Object.entries(operations).map(([method, operation]): [string, Message] => [
    method,
    operationMessage(operation),
  ])
  return { ...Object.fromEntries(messages), parameters: parameters.map(parameterMessage) }
}

function operationMessage(operation: OperationV3): Message {
  const { tags, description, operationId, parameters = [], requestBody, responses } = operation
  return {
    tags,
    description,
    operationId,
    parameters: parameters.map(parameterMessage),
    ...(requestBody && { requestBody: { requestBody: requestBodyMessage(requestBody) } }),
    responses: { responseOrReference: namedList(responses, responseMessage) },
    specificationExtension: vendorExtensions(operation),
  }
}

function parameterMessage(parameter: ParameterV3): Message {
  return { parameter: { ...parameter, schema: schemaV3Message(parameter.schema) } }
}

function requestBodyMessage({ content, required }: RequestBodyV3): Message {
  return { content: contentMessage(content), ...(required === undefined ? {} : { required }) }
}

function responseMessage({ description, content }: ResponseV3): Message {
  return { response: { description, ...(content && { content: contentMessage(content) }) } }
}

function contentMessage(content: ContentV3): Message {
  const mediaTypes = namedList(content, ({ schema }) => ({ schema: schemaV3Message(schema) }))
  return { additionalProperties: mediaTypes }
}
