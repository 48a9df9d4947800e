import type { Schema } from '../apiserver/meta/schema.ts'

/**
 * Definitions of the built-in groups by name, with their descriptions. A field with another
 * definition as its type contains only its name and additions: default, markers, description.
 */
export interface Definitions {
  /** Schema of a definition; undefined: not a definition of the built-in groups. */
  schema(definition: string): Schema | undefined
}
