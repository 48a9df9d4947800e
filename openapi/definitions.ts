import type { Schema } from '../apiserver/meta/schema.ts'

/** The definitions of the built-in groups by name, with their descriptions. A field that holds another definition only
 *  names it, with what the field adds: default, markers, description. */
export interface Definitions {
  /** undefined: no definition of the built-in groups has this name. */
  schema(definition: string): Schema | undefined
}
