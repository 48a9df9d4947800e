import { useState } from 'react'
import { mapOf } from '../api/objects.ts'
import { Icon } from '../parts/Icon.tsx'
import type { ControlProps } from './field.ts'
import { emptyValue } from './formControl.ts'
import { useForm } from './formContext.ts'
import { fieldId, Problems, useProblems } from './Problems.tsx'

/** Keys and values of a map; the user chooses and renames keys. */
export function MapControl({ name, schema, path, value }: ControlProps) {
  const { Field, set, rename, tree } = useForm()
  const [key, setKey] = useState('')
  const values = mapOf(value)
  const more = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : {}
  const item = tree?.resolved(more) ?? {}
  const problems = useProblems(path, Object.keys(values))
  const isTaken = Object.hasOwn(values, key)
  const add = () => {
    if (key === '' || isTaken) return
    set([...path, key], emptyValue(item))
    setKey('')
  }
  const id = `${fieldId(path)}-new`
  return (
    <>
      <Problems id={`${fieldId(path)}-problems`} texts={problems} />
      {Object.keys(values).map((each) => (
        <div key={each} className="form-entry">
          <KeyField
            name={each}
            isFree={(next) => next !== '' && !Object.hasOwn(values, next)}
            onRename={(next) => rename([...path, each], next)}
          />
          <Field
            name={`Value of ${each}`}
            schema={{ ...item, description: '' }}
            path={[...path, each]}
            value={values[each]}
            isRequired={false}
            onRemove={() => set([...path, each], undefined)}
          />
        </div>
      ))}
      <div className="field">
        <label htmlFor={id}>New key of {name}</label>
        <div className="field-row">
          <input
            id={id}
            className="input"
            spellCheck={false}
            autoComplete="off"
            value={key}
            onChange={(event) => setKey(event.target.value)}
            onKeyDown={(event) => event.key === 'Enter' && add()}
          />
          <button type="button" className="button" disabled={key === '' || isTaken} onClick={add}>
            <Icon name="add" /> Add
          </button>
        </div>
        {isTaken ? <p className="hint">This key is there already.</p> : null}
      </div>
    </>
  )
}

interface KeyFieldProps {
  name: string
  isFree: (key: string) => boolean
  onRename: (key: string) => void
}

/** Key of an entry, renamed when the field loses the focus. */
function KeyField({ name, isFree, onRename }: KeyFieldProps) {
  const [typed, setTyped] = useState(name)
  const commit = () => {
    if (typed === name) return
    if (isFree(typed)) onRename(typed)
    else setTyped(name)
  }
  return (
    <input
      className="input mono"
      aria-label={`Key ${name}`}
      spellCheck={false}
      autoComplete="off"
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      onBlur={commit}
      onKeyDown={(event) => event.key === 'Enter' && commit()}
    />
  )
}
