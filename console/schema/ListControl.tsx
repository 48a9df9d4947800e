import { Icon } from '../parts/Icon.tsx'
import type { ControlProps } from './field.ts'
import { emptyValue } from './formControl.ts'
import { useForm } from './formContext.ts'
import { fieldId, Problems, useProblems } from './Problems.tsx'

/** Items of a list, in order. */
export function ListControl({ name, schema, path, value }: ControlProps) {
  const { Field, set, tree } = useForm()
  const items: readonly unknown[] = Array.isArray(value) ? value : []
  const item = tree?.resolved(schema.items ?? {}) ?? {}
  const problems = useProblems(
    path,
    items.map((_, at) => String(at)),
  )
  return (
    <>
      <Problems id={`${fieldId(path)}-problems`} texts={problems} />
      {items.map((each, at) => (
        <Field
          key={at}
          name={`${name} ${at + 1}`}
          schema={{ ...item, description: '' }}
          path={[...path, String(at)]}
          value={each}
          isRequired={false}
          onRemove={() => set([...path, String(at)], undefined)}
        />
      ))}
      <div>
        <button
          type="button"
          className="button"
          onClick={() => set(path, [...items, emptyValue(item)])}
        >
          <Icon name="add" /> Add to {name}
        </button>
      </div>
    </>
  )
}
