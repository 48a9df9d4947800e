import { useRef, useState } from 'react'
import { mapOf } from '../api/objects.ts'
import type { ControlProps } from './field.ts'
import { controlOf, emptyValue } from './formControl.ts'
import { useForm } from './formContext.ts'
import { fieldId, Problems, useProblems } from './Problems.tsx'
import type { Schema } from './schema.ts'

/** Maximum number of fields of an object for which all simple ones are shown at once. */
const maxShownAtOnce = 12

/** Fields of an object: set, required or added ones; others can be added. */
export function FieldsControl({ name, schema, path, value }: ControlProps) {
  const { Field, set, tree } = useForm()
  const { properties = {}, required = [] } = schema
  const values = mapOf(value)
  // A field remains visible while its value is retyped, although it is temporarily unset.
  const seen = useRef(new Set<string>())
  const [, draw] = useState(0)
  for (const key of Object.keys(values)) seen.current.add(key)
  const isSmall = Object.keys(properties).length <= maxShownAtOnce
  const isShown = (key: string, field: Schema) =>
    required.includes(key) || seen.current.has(key) || (isSmall && isSimple(tree?.resolved(field)))
  const all = Object.entries(properties)
  const shown = all.filter(([key, field]) => isShown(key, field))
  const others = all.filter(([key, field]) => !isShown(key, field))
  const unknown = Object.keys(values).filter((key) => !Object.hasOwn(properties, key))
  const shownKeys = [...shown.map(([key]) => key), ...unknown]
  const problems = useProblems(path, shownKeys)
  const add = (key: string, field: Schema) => {
    seen.current.add(key)
    const resolved = tree?.resolved(field) ?? field
    if (['fields', 'map', 'list'].includes(controlOf(resolved)))
      set([...path, key], emptyValue(resolved))
    else draw((old) => old + 1)
  }
  const remove = (key: string) => {
    seen.current.delete(key)
    set([...path, key], undefined)
    draw((old) => old + 1)
  }
  return (
    <>
      <Problems id={`${fieldId(path)}-problems`} texts={problems} />
      {shown.map(([key, field]) => (
        <Field
          key={key}
          name={key}
          schema={field}
          path={[...path, key]}
          value={values[key]}
          isRequired={required.includes(key)}
          onRemove={
            seen.current.has(key) && !required.includes(key) ? () => remove(key) : undefined
          }
        />
      ))}
      {unknown.map((key) => (
        <Field
          key={key}
          name={key}
          schema={{ description: 'The schema does not have this field.' }}
          path={[...path, key]}
          value={values[key]}
          isRequired={false}
          onRemove={() => remove(key)}
        />
      ))}
      {others.length === 0 ? null : (
        <select
          className="input add-field"
          aria-label={`Add a field to ${name}`}
          value=""
          onChange={({ target }) => {
            const field = properties[target.value]
            if (field !== undefined) add(target.value, field)
          }}
        >
          <option value="">Add a field …</option>
          {others.map(([key]) => (
            <option key={key}>{key}</option>
          ))}
        </select>
      )}
    </>
  )
}

function isSimple(schema: Schema | undefined): boolean {
  return (
    schema !== undefined &&
    ['choice', 'boolean', 'number', 'numberOrText', 'text'].includes(controlOf(schema))
  )
}
