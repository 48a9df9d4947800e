import type { Schema } from '../../meta/schema.ts'

/** Fields that rules refuse although they are empty: an empty list is not the same as none there. Each stays in the object
 *  until the rules have judged it; as it is always refused, it is never stored. By Go types; a second name is a field of
 *  the field's type. Source: seen on kube-apiserver 1.37.2. */
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

/** The schema of a field, keeping what has to reach the rules although it is empty. */
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
