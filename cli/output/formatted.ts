import type { Format } from './format.ts'

/** Kind and name of an object, for `-o name`. */
interface Named {
  kind?: string
  apiVersion?: string
  metadata?: { name?: string }
  items?: unknown
}

/** Object or list as text in a format other than a table. Ends with a line break, like kubectl's output. */
export async function formatted(value: unknown, format: Format): Promise<string> {
  switch (format.type) {
    case 'json':
      return `${JSON.stringify(value, null, 4)}\n`
    case 'yaml':
      return yamlText(value)
    case 'name':
      return namesOf(value).join('')
    case 'jsonpath': {
      const { jsonPathText } = await import('./jsonPath.ts')
      return jsonPathText(format.template, value)
    }
    case 'go-template': {
      const { goTemplateText } = await import('./goTemplate.ts')
      return goTemplateText(format.template, value)
    }
    case 'table':
    case 'wide':
      throw new Error('a table is not a format of objects')
  }
}

export async function yamlText(value: unknown): Promise<string> {
  const { stringify } = await import('../base/yaml.ts')
  return stringify(value, { version: '1.1', lineWidth: 0, aliasDuplicateObjects: false })
}

function namesOf(value: unknown): string[] {
  // Sound: missing fields are empty.
  const { items, kind, apiVersion, metadata } = value as Named
  if (Array.isArray(items)) return items.flatMap(namesOf)
  const [group = '', version] = (apiVersion ?? '').split('/')
  const suffix = version === undefined ? '' : `.${group}`
  return [`${(kind ?? 'object').toLowerCase()}${suffix}/${metadata?.name ?? ''}\n`]
}
