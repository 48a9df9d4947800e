import { createContext, use, type ComponentType } from 'react'
import type { FieldPath } from '../api/fieldPath.ts'
import type { FieldProps } from './field.ts'
import type { SchemaTree } from './schemaTree.ts'

export interface FormServices {
  /** Component that shows a field of any kind, so that controls can contain fields. */
  Field: ComponentType<FieldProps>
  tree: SchemaTree | undefined
  problems: readonly { path: FieldPath; message: string }[]
  /** Sets a field; undefined removes it. */
  set: (path: FieldPath, value: unknown) => void
  rename: (path: FieldPath, key: string) => void
}

export const FormContext = createContext<FormServices | undefined>(undefined)

export function useForm(): FormServices {
  const services = use(FormContext)
  if (services === undefined) throw new Error('a field is outside of a form')
  return services
}
