import { fieldValue, type FieldConflict } from '../api/applied.ts'
import type { ApiObject } from '../api/objects.ts'
import { Note } from '../parts/notes.tsx'

export type Decision = 'theirs' | 'mine'

interface FieldConflictsProps {
  conflicts: readonly FieldConflict[]
  mine: ApiObject
  stored: ApiObject | undefined
  decisions: ReadonlyMap<string, Decision>
  onDecide: (field: string, decision: Decision) => void
}

/** Fields owned by other managers, each to be kept or overwritten. */
export function FieldConflicts(props: FieldConflictsProps) {
  const { conflicts, mine, stored, decisions, onDecide } = props
  return (
    <div className="stack tight">
      <Note tone="warn" isAlert>
        Other managers own these fields. A field that you overwrite is changed to your value, and
        its owner gives it up or changes it back; the others stay as they are.
      </Note>
      {conflicts.map(({ field, manager }) => (
        <fieldset key={field} className="conflict">
          <legend>
            <code className="wrap">{field.replace(/^\./, '')}</code>{' '}
            <span className="hint">owned by {manager}</span>
          </legend>
          <Choice
            {...{ field, decisions, onDecide }}
            decision="theirs"
            text="Keep theirs"
            value={fieldValue(stored, field)}
          />
          <Choice
            {...{ field, decisions, onDecide }}
            decision="mine"
            text="Take over"
            value={fieldValue(mine, field)}
          />
        </fieldset>
      ))}
    </div>
  )
}

interface ChoiceProps extends Pick<FieldConflictsProps, 'decisions' | 'onDecide'> {
  field: string
  decision: Decision
  text: string
  value: unknown
}

function Choice({ field, decision, decisions, onDecide, text, value }: ChoiceProps) {
  return (
    <label className="choice">
      <input
        type="radio"
        name={`conflict ${field}`}
        aria-label={`${text} ${field.replace(/^\./, '')}`}
        checked={decisions.get(field) === decision}
        onChange={() => onDecide(field, decision)}
      />
      <span>{text}</span>
      <code className="wrap hint">{shown(value)}</code>
    </label>
  )
}

function shown(value: unknown): string {
  if (value === undefined) return 'not set'
  const text = JSON.stringify(value)
  return text.length > 120 ? `${text.slice(0, 119)}…` : text
}
