/**
 * Prints the TypeScript form of the protobuf messages of one OpenAPI version in the given .proto file: names, types and
 * numbers of the fields, without comments and options. Run by update-openapi-proto.sh.
 */
import { readFileSync } from 'node:fs'
import protobuf from 'protobufjs'

const [version, file] = process.argv.slice(2)
if (version === undefined || file === undefined)
  throw new Error('usage: openapiProto.ts v2|v3 <file.proto>')

interface Field {
  rule?: string
  type: string
  id: number
}

const { root } = protobuf.parse(readFileSync(file, 'utf8'))
const messages = root.lookup(`openapi.${version}`)
if (!(messages instanceof protobuf.Namespace))
  throw new Error(`${file} has no package openapi.${version}`)

const lines = messages.nestedArray.map((message) => {
  if (!(message instanceof protobuf.Type)) throw new Error(`${message.name} is no message`)
  return `        ${message.name}: ${JSON.stringify(structure(message))},`
})

process.stdout.write(`/* Written by hack/update-openapi-proto.sh; not to be edited. */

/** The messages of OpenAPI ${version === 'v2' ? '2.0' : '3.0'} in protobuf, as protobufjs reads them. */
// prettier-ignore
export const openapi${version.toUpperCase()}Proto = {
  nested: {
    google: { nested: { protobuf: { nested: {
      Any: {"fields":{"typeUrl":{"type":"string","id":1},"value":{"type":"bytes","id":2}}},
    } } } },
    openapi: { nested: { ${version}: { nested: {
${lines.join('\n')}
    } } } },
  },
}
`)

function structure(message: protobuf.Type): object {
  const oneofs = Object.fromEntries(message.oneofsArray.map(({ name, oneof }) => [name, { oneof }]))
  const fields = Object.fromEntries(
    message.fieldsArray.map((field) => [field.name, fieldOf(field)]),
  )
  return message.oneofsArray.length === 0 ? { fields } : { oneofs, fields }
}

function fieldOf({ repeated, type, id }: protobuf.Field): Field {
  return { ...(repeated ? { rule: 'repeated' } : {}), type, id }
}
