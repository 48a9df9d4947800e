import type { FieldPath } from '../api/fieldPath.ts'
import type { Control } from './formControl.ts'
import type { Schema } from './schema.ts'

export interface FieldProps {
  name: string
  schema: Schema
  path: FieldPath
  value: unknown
  isRequired: boolean
  /** True for a field of the object itself, which is open from the start. */
  isTop?: boolean
  /** Removes the field; absent: not removable here. */
  onRemove?: (() => void) | undefined
}

export interface ControlProps extends FieldProps {
  /** Schema with references resolved. */
  schema: Schema
  control: Control
}

/** First sentence of a description, at most 200 characters. */
export function firstSentence(text = ''): string {
  const [sentence = ''] = text.split(/(?<=\.)\s|\n\n/, 1)
  return sentence.length > 200 ? `${sentence.slice(0, 199)}…` : sentence
}
