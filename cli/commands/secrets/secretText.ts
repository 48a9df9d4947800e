import { CliError } from '../../base/cliError.ts'
import { stringify } from '../../base/yaml.ts'
import type { SecretFormat } from './secretFormat.ts'

/** Values of a secret for programs. Binary values are base64 in JSON and YAML, and refused in other formats. */
export function secretText(
  values: Readonly<Record<string, Buffer>>,
  format: Exclude<SecretFormat, 'plain'>,
): string {
  const entries = Object.entries(values)
  switch (format) {
    case 'json':
      return `${JSON.stringify(Object.fromEntries(entries.map(textOrBase64)), null, 4)}\n`
    case 'yaml':
      return stringify(Object.fromEntries(entries.map(textOrBase64)), { lineWidth: 0 })
    case 'env':
      return entries
        .map(([key, value]) => `export ${variableOf(key)}=${shellQuoted(textOf(key, value))}\n`)
        .join('')
    case 'dotenv':
      return entries
        .map(([key, value]) => `${variableOf(key)}=${dotenvQuoted(textOf(key, value))}\n`)
        .join('')
  }
}

function textOrBase64([key, value]: [string, Buffer]): [string, string] {
  const text = value.toString('utf8')
  return [key, Buffer.from(text).equals(value) ? text : value.toString('base64')]
}

function textOf(key: string, value: Buffer): string {
  const text = value.toString('utf8')
  if (Buffer.from(text).equals(value) && !text.includes('\0')) return text
  throw new CliError(`the value of "${key}" is binary`, {
    hint: `Get it alone, and redirect it to a file.`,
  })
}

/** Key as the name of a variable. */
function variableOf(key: string): string {
  const name = key.replaceAll(/\W/g, '_')
  return /^\d/.test(name) ? `_${name}` : name
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

function dotenvQuoted(text: string): string {
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll('$', '\\$')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
  return `"${escaped}"`
}
