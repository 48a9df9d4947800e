import type { Schema } from '../../meta/schema.ts'

/**
 * Fields, by Go type, for which an empty list is refused but an absent one is not. Empty lists stay
 * in the object until validation, which always refuses them, so they are never stored. A second
 * name is a nested field. Source: seen on kube-apiserver 1.37.2.
 */
const refusedEmpties: Readonly<Record<string, readonly string[]>> = {
  HPAScalingRules: ['policies'],
  EphemeralContainer: [
    'ports',
    'resizePolicy',
    'restartPolicyRules',
    'resources.limits',
    'resources.requests',
    'resources.claims',
  ],
  PodSpec: ['resources.claims'],
  JSONSchemaProps: ['dependencies'],
}

/** Schema of a field that keeps the empty values that validation refuses. */
export function keepingRefused(schema: Schema, type: string, name: string): Schema {
  const paths = refusedEmpties[type]
  if (paths === undefined) return schema
  const kept = paths.includes(name) ? withEmpty(schema) : schema
  const below = paths.filter((path) => path.startsWith(`${name}.`))
  return below.reduce((whole, path) => keepingMember(whole, path.slice(name.length + 1)), kept)
}

function keepingMember(schema: Schema, member: string): Schema {
  const field = schema.properties?.[member]
  if (field === undefined) return schema
  return { ...schema, properties: { ...schema.properties, [member]: withEmpty(field) } }
}

function withEmpty({ omitEmpty: _omitEmpty, ...schema }: Schema): Schema {
  return schema
}
