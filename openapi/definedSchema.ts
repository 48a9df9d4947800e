import type { Schema } from '../apiserver/meta/schema.ts'

/** A schema that is published under a name of its own. */
export type DefinedSchema = Schema & { definition: string }
