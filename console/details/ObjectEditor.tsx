import { useState } from 'react'
import type { Kind } from '../api/kinds.ts'
import type { TextProblem } from '../editor/yaml.ts'
import { YamlEditor } from '../editor/YamlEditor.tsx'
import { FormEditor } from '../schema/FormEditor.tsx'
import { parseRoute, replaceQuery, useHash } from '../shell/route.ts'
import { useSchemaHelp } from './schemaHelp.ts'

interface ObjectEditorProps {
  kind: Kind
  /** Name of the edited object, as in "YAML of …". */
  label: string
  value: string
  problems: readonly TextProblem[]
  /** Called with the changed text; absent: the text is read-only YAML. */
  onChange?: (text: string) => void
  /** True to start a new object with the form; an existing one starts with its YAML. */
  isNew: boolean
}

const forms = [
  ['form', 'Form'],
  ['yaml', 'YAML'],
] as const

/**
 * Editor of a YAML document in two views. Both change the same document, so switching loses
 * nothing.
 */
export function ObjectEditor(props: ObjectEditorProps) {
  const { kind, label, value, problems, onChange, isNew } = props
  const asked = parseRoute(useHash()).query.get('as')
  const [fallback] = useState(isNew ? 'form' : 'yaml')
  const chosen =
    onChange === undefined ? 'yaml' : asked === 'form' || asked === 'yaml' ? asked : fallback
  const help = useSchemaHelp(kind)
  return (
    <div className="stack tight">
      {onChange === undefined ? null : (
        <div className="switch" role="group" aria-label="Edit as">
          {forms.map(([id, text]) => (
            <button
              key={id}
              type="button"
              className="button"
              aria-pressed={chosen === id}
              onClick={() => replaceQuery({ as: id })}
            >
              {text}
            </button>
          ))}
        </div>
      )}
      {chosen === 'form' && onChange !== undefined ? (
        <FormEditor {...{ kind, value, problems, onChange }} label={`Form of ${label}`} />
      ) : (
        <YamlEditor
          label={`YAML of ${label}`}
          {...{ value, problems }}
          {...(onChange === undefined ? {} : { onChange })}
          {...help}
        />
      )}
    </div>
  )
}
