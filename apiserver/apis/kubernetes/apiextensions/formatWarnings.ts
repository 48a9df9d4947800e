import { goQuote } from '../../../meta/goQuote.ts'
import { isObject } from '../../../meta/json/isObject.ts'
import { checkedFormat } from '../../../registry/schema/schemaDialect.ts'
import type { DefinitionSpec } from '../../../customResources/definition.ts'
import type { JsonSchemaProps } from '../../../meta/jsonSchemaProps.ts'

/**
 * Warnings about formats that are not enforced, except those that the definition already had. Source: apiextensions,
 * the strategy of definitions.
 */
export function formatWarnings(spec: DefinitionSpec, old?: DefinitionSpec): string[] {
  const known = old === undefined ? new Set<string>() : uncheckedFormats(old)
  return [...uncheckedFormats(spec)]
    .filter((format) => !known.has(format))
    .map((format) => `unrecognized format ${goQuote(format)}`)
}

function uncheckedFormats({ versions }: DefinitionSpec): Set<string> {
  const found = new Set<string>()
  for (const { schema } of versions) collect(schema?.openAPIV3Schema, found)
  return found
}

function collect(schema: unknown, found: Set<string>): void {
  if (!isObject(schema)) return
  const props: JsonSchemaProps = schema
  const { type, format = '' } = props
  if (format !== '' && checkedFormat(type, format) === undefined) found.add(format)
  for (const part of partsOf(props)) collect(part, found)
}

function partsOf(props: JsonSchemaProps): unknown[] {
  const { items, properties, additionalProperties, allOf, anyOf, oneOf, not } = props
  const lists = [allOf, anyOf, oneOf, items, Object.values(properties ?? {})].flat()
  return [...lists, additionalProperties, not]
}
