import type { ReactNode } from 'react'
import { Icon } from '../parts/Icon.tsx'
import { FieldsControl } from './FieldsControl.tsx'
import { firstSentence, type ControlProps, type FieldProps } from './field.ts'
import { controlOf, type Control } from './formControl.ts'
import { useForm } from './formContext.ts'
import { ListControl } from './ListControl.tsx'
import { MapControl } from './MapControl.tsx'
import { ValueControl } from './ValueControl.tsx'
import { YamlControl } from './YamlControl.tsx'

/** Field of a form: name, description, control and problems. */
export function FieldView(props: FieldProps) {
  const { tree } = useForm()
  const schema = tree?.resolved(props.schema) ?? props.schema
  const control = shownControl(controlOf(schema), props.value)
  const all = { ...props, schema, control }
  switch (control) {
    case 'fields':
      return <Group {...all}>{<FieldsControl {...all} />}</Group>
    case 'list':
      return <Group {...all}>{<ListControl {...all} />}</Group>
    case 'map':
      return <Group {...all}>{<MapControl {...all} />}</Group>
    case 'yaml':
      return <YamlControl {...all} />
    case 'choice':
    case 'boolean':
    case 'number':
    case 'numberOrText':
    case 'text':
      return <ValueControl {...all} />
  }
}

/** Control for a value; a value that does not fit the schema is shown unchanged. */
function shownControl(control: Control, value: unknown): Control {
  if (value === undefined || value === null) return control
  const isMap = typeof value === 'object' && !Array.isArray(value)
  if (control === 'yaml') return control
  if (control === 'list') return Array.isArray(value) ? control : 'yaml'
  if (control === 'fields' || control === 'map') return isMap ? control : 'yaml'
  return typeof value === 'object' ? 'yaml' : control
}

function Group({ children, ...props }: ControlProps & { children: ReactNode }) {
  const { name, schema, isRequired, isTop = false, onRemove } = props
  return (
    <details className={isTop ? 'form-group card' : 'form-group'} open>
      <summary>
        <span className="label">{name}</span>
        {isRequired ? <span className="hint">required</span> : null}
      </summary>
      <div className="inside stack">
        <Hint text={schema.description} />
        {children}
        {onRemove === undefined ? null : (
          <div>
            <button type="button" className="button quiet danger" onClick={onRemove}>
              <Icon name="bad" /> Remove {name}
            </button>
          </div>
        )}
      </div>
    </details>
  )
}

function Hint({ text }: { text: string | undefined }) {
  const short = firstSentence(text)
  return short === '' ? null : (
    <p className="hint wrap" title={text}>
      {short}
    </p>
  )
}
