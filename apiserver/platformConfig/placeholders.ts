import { invalidField, type FieldError } from '../meta/fieldErrors.ts'
import type { Schema } from '../meta/schema.ts'

/** Environment variables that placeholders refer to. */
export type Environment = Readonly<Record<string, string | undefined>>

const wholePlaceholder = /^\$(?:([A-Za-z_][A-Za-z0-9_]*)|\{([A-Za-z_][A-Za-z0-9_]*)\})$/
const innerPlaceholder = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g

/**
 * Replaces `$NAME` and `${NAME}` as a whole string, and `${NAME}` within one, by environment
 * variables. A bare `$NAME` within a string is not replaced: passwords and regular expressions
 * contain dollar signs too. If the schema expects a number or a boolean, a string from the
 * environment is converted.
 */
export class Placeholders {
  readonly errors: FieldError[] = []
  /**
   * Fields with placeholders, and the variables: `spec.raw.auth.connectors[].oidc.clientSecret
   * NAME`.
   */
  readonly places = new Set<string>()
  readonly #environment: Environment

  constructor(environment: Environment) {
    this.#environment = environment
  }

  /** A copy of the value with its placeholders replaced. */
  replace(value: unknown, schema: Schema | undefined, path: string): unknown {
    if (typeof value === 'string') return this.#text(value, schema, path)
    if (Array.isArray(value)) {
      return value.map((item, at) => this.replace(item, schema?.items, `${path}[${at}]`))
    }
    if (typeof value !== 'object' || value === null) return value
    const { properties, additionalProperties } = schema ?? {}
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => {
        const known =
          properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined
        return [name, this.replace(member, known ?? additionalProperties, `${path}.${name}`)]
      }),
    )
  }

  #text(text: string, schema: Schema | undefined, path: string): unknown {
    if (!text.includes('$')) return text
    const [, bare, braced] = wholePlaceholder.exec(text) ?? []
    const name = bare ?? braced
    if (name !== undefined) return typed(this.#lookUp(name, path), schema)
    return text.replace(innerPlaceholder, (_, inner: string) => this.#lookUp(inner, path))
  }

  #lookUp(name: string, path: string): string {
    this.places.add(`${path.replace(/\[\d+\]/g, '[]')} ${name}`)
    const value = Object.hasOwn(this.#environment, name) ? this.#environment[name] : undefined
    if (value === undefined) {
      const why = 'the environment of the server has no variable of this name'
      this.errors.push(invalidField(path, `\${${name}}`, why))
    }
    return value ?? ''
  }
}

function typed(text: string, schema: Schema | undefined): unknown {
  if (schema?.type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  const isNumber = schema?.type === 'integer' || schema?.type === 'number'
  return isNumber && /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text
}
