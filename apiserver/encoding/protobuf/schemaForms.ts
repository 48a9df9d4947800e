import type { Form } from './formedType.ts'

/** Parts of a JSON schema with alternative forms. Source: apiextensions/v1, marshal.go. */
export const schemaForms: Readonly<Record<string, Form>> = {
  JSONSchemaPropsOrArray: {
    toJson: ({ schema, jSONSchemas }) => jSONSchemas ?? schema ?? null,
    toFields: (json) => schemaOr(json, 'jSONSchemas'),
  },
  JSONSchemaPropsOrBool: {
    toJson: ({ schema, allows }) => schema ?? allows ?? false,
    toFields: (json) =>
      typeof json === 'object' && json !== null ? { allows: true, schema: json } : { allows: json },
  },
  JSONSchemaPropsOrStringArray: {
    toJson: ({ schema, property }) => property ?? schema ?? null,
    toFields: (json) => schemaOr(json, 'property'),
  },
}

function schemaOr(json: unknown, list: string): Record<string, unknown> {
  return Array.isArray(json) ? { [list]: json } : { schema: json }
}
