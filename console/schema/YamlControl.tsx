import { useState } from 'react'
import { parseDocument, stringify } from 'yaml'
import { isSame } from '../editor/merge.ts'
import { Icon } from '../parts/Icon.tsx'
import { firstSentence, type ControlProps } from './field.ts'
import { useForm } from './formContext.ts'
import { fieldId, Problems, useProblems } from './Problems.tsx'

/** Field of any shape, as YAML. */
export function YamlControl({ name, schema, path, value, isRequired, onRemove }: ControlProps) {
  const { set } = useForm()
  const [typed, setTyped] = useState(() => textOf(value))
  const parsed = parse(typed)
  // The value was changed elsewhere, such as in the YAML of the whole object.
  const text = parsed.problem !== '' || isSame(parsed.value, value) ? typed : textOf(value)
  const id = fieldId(path)
  const problems = [...(parsed.problem === '' ? [] : [parsed.problem]), ...useProblems(path)]
  const change = (next: string) => {
    setTyped(next)
    const { value: made, problem } = parse(next)
    if (problem === '') set(path, made)
  }
  return (
    <div className="field">
      <label htmlFor={id}>
        {name} <span className="hint">{isRequired ? 'required, as YAML' : 'as YAML'}</span>
      </label>
      <div className="field-row">
        <textarea
          id={id}
          className="input"
          rows={Math.min(14, Math.max(2, text.split('\n').length))}
          spellCheck={false}
          aria-describedby={`${id}-hint`}
          aria-invalid={problems.length > 0 || undefined}
          value={text}
          onChange={(event) => change(event.target.value)}
        />
        {onRemove === undefined ? null : (
          <button
            type="button"
            className="button quiet square"
            aria-label={`Remove ${name}`}
            onClick={onRemove}
          >
            <Icon name="bad" />
          </button>
        )}
      </div>
      <p id={`${id}-hint`} className="hint wrap" title={schema.description}>
        {firstSentence(schema.description) || 'Any value.'}
      </p>
      <Problems id={`${id}-problems`} texts={problems} />
    </div>
  )
}

function textOf(value: unknown): string {
  return value === undefined || value === null ? '' : stringify(value, { lineWidth: 0 })
}

function parse(text: string): { value?: unknown; problem: string } {
  if (text.trim() === '') return { value: undefined, problem: '' }
  const document = parseDocument(text, { prettyErrors: false })
  const [error] = document.errors
  if (error !== undefined) return { problem: error.message }
  try {
    return { value: document.toJS({ maxAliasCount: 100 }), problem: '' }
  } catch (failure) {
    return { problem: failure instanceof Error ? failure.message : String(failure) }
  }
}
