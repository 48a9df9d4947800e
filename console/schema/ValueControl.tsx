import { Icon } from '../parts/Icon.tsx'
import { firstSentence, type ControlProps } from './field.ts'
import { problemOf, typedValue, type Control } from './formControl.ts'
import { useForm } from './formContext.ts'
import { fieldId, Problems, useProblems } from './Problems.tsx'
import type { Schema } from './schema.ts'

/** Field with one value. */
export function ValueControl(props: ControlProps) {
  const { name, schema, path, value, isRequired, onRemove } = props
  const id = fieldId(path)
  const own = problemOf(value, schema, false)
  const problems = [...(own === '' ? [] : [own]), ...useProblems(path)]
  const hint = firstSentence(schema.description)
  const described = [hint === '' ? '' : `${id}-hint`, problems.length > 0 ? `${id}-problems` : '']
  return (
    <div className="field">
      <label htmlFor={id}>
        {name} {isRequired ? <span className="hint">required</span> : null}
      </label>
      <div className="field-row">
        <Input
          {...props}
          id={id}
          described={described.join(' ').trim()}
          isBad={problems.length > 0}
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
      {hint === '' ? null : (
        <p id={`${id}-hint`} className="hint wrap" title={schema.description}>
          {hint}
        </p>
      )}
      <Problems id={`${id}-problems`} texts={problems} />
    </div>
  )
}

interface InputProps extends ControlProps {
  id: string
  described: string
  isBad: boolean
}

function Input({ control, schema, path, value, isRequired, id, described, isBad }: InputProps) {
  const { set } = useForm()
  const text = textOf(value)
  const change = (typed: string) => set(path, typedValue(typed, control, schema).value)
  const common = {
    id,
    className: 'input',
    'aria-describedby': described === '' ? undefined : described,
    'aria-invalid': isBad || undefined,
    'aria-required': isRequired || undefined,
  }
  if (control === 'choice' || control === 'boolean')
    return (
      <select {...common} value={text} onChange={(event) => change(event.target.value)}>
        <option value="">{unset(schema)}</option>
        {choices(control, schema, text).map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </select>
    )
  if (text.includes('\n'))
    return (
      <textarea
        {...common}
        rows={Math.min(14, text.split('\n').length + 1)}
        spellCheck={false}
        value={text}
        onChange={(event) => change(event.target.value)}
      />
    )
  return (
    <input
      {...common}
      inputMode={control === 'number' ? 'numeric' : undefined}
      spellCheck={false}
      autoComplete="off"
      placeholder={schema.default === undefined ? undefined : unset(schema)}
      value={text}
      onChange={(event) => change(event.target.value)}
    />
  )
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

/** Choices of a field, including its current value even if the schema does not allow it. */
function choices(control: Control, { enum: values = [] }: Schema, text: string): string[] {
  const known = control === 'boolean' ? ['true', 'false'] : values.map(String).filter(Boolean)
  return text === '' || known.includes(text) ? known : [...known, text]
}

function unset({ default: value }: Schema): string {
  if (value === undefined) return 'Not set'
  return `Default: ${typeof value === 'string' ? value : JSON.stringify(value)}`
}
