import { memberPath } from '../meta/fieldPath.ts'
import type { Schema } from '../meta/schema.ts'

/** Replaces a secret in output. */
export const secretMask = '***'

/** A copy with every secret of the schema masked. */
export function maskSecrets(value: unknown, schema: Schema): unknown {
  return mapSecrets(value, schema, '', () => secretMask)
}

/** Paths of secrets that have the mask as their value: the client sent back what it had read. */
export function maskedSecrets(value: unknown, schema: Schema, path: string): string[] {
  const found: string[] = []
  mapSecrets(value, schema, path, (secret, at) => {
    if (secret === secretMask) found.push(at)
    return secret
  })
  return found
}

type Replace = (secret: unknown, path: string) => unknown

function mapSecrets(value: unknown, schema: Schema, path: string, replace: Replace): unknown {
  if (schema.secret === true) {
    return value === undefined || value === null || value === '' ? value : replace(value, path)
  }
  if (Array.isArray(value)) {
    const { items } = schema
    if (items === undefined) return value
    return value.map((item, at) => mapSecrets(item, items, `${path}[${at}]`, replace))
  }
  const { properties } = schema
  if (typeof value !== 'object' || value === null || properties === undefined) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => {
      const known = Object.hasOwn(properties, name) ? properties[name] : undefined
      const at = memberPath(path, name)
      return [name, known === undefined ? member : mapSecrets(member, known, at, replace)]
    }),
  )
}
