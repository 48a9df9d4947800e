import type { Schema } from '../apiserver/meta/schema.ts'

/** Schema published under its own name. */
export type DefinedSchema = Schema & { definition: string }
