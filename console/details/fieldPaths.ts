/**
 * Paths of the leaf fields of a `fieldsV1`, such as `spec.containers[name=web].image`.
 * Source: structured-merge-diff, FieldsV1.
 */
export function fieldPaths(fields: Readonly<Record<string, unknown>>, path = ''): string[] {
  const below = Object.entries(fields).filter(([key]) => key !== '.')
  if (below.length === 0) return path === '' ? [] : [path]
  return below.flatMap(([key, value]) =>
    // Sound: the API only has objects here.
    fieldPaths((value ?? {}) as Record<string, unknown>, path + step(key, path === '')),
  )
}

function step(key: string, isFirst: boolean): string {
  const [, kind = '', rest = ''] = /^([fkvi]):(.*)$/s.exec(key) ?? []
  switch (kind) {
    case 'f':
      return isFirst ? rest : `.${rest}`
    case 'k':
      return `[${keyOf(rest)}]`
    case 'v':
      return `[=${rest}]`
    default:
      return `[${rest}]`
  }
}

/** Fields that identify an item of a list: `{"name":"web"}` becomes `name=web`. */
function keyOf(json: string): string {
  try {
    const value = JSON.parse(json) as Record<string, unknown>
    return Object.entries(value)
      .map(([name, each]) => `${name}=${String(each)}`)
      .join(',')
  } catch {
    return json
  }
}
