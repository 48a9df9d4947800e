import type { Schema } from '../apiserver/meta/schema.ts'

/**
 * Definitions of the built-in groups by name, with their descriptions. A field whose type is another definition only
 * contains its name and additions: default, markers, description.
 */
export interface Definitions {
  /** Schema of a definition; undefined: not a definition of the built-in groups. */
  schema(definition: string): Schema | undefined
}
