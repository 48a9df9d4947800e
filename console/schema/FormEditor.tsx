import { useMemo, useState } from 'react'
import type { Kind } from '../api/kinds.ts'
import type { TextProblem } from '../editor/yaml.ts'
import { useLoaded } from '../parts/loading.ts'
import { ErrorNote, Note, Skeleton } from '../parts/notes.tsx'
import { useConsole } from '../shell/console.ts'
import { kindId } from '../api/kinds.ts'
import { FieldView } from './FieldView.tsx'
import { FormContext, type FormServices } from './formContext.ts'
import { selectedItem, type FieldPath } from '../api/fieldPath.ts'
import type { Schema } from './schema.ts'
import { SchemaTree } from './schemaTree.ts'
import { valueOf, withKey, withValue } from './yamlChange.ts'

interface FormEditorProps {
  kind: Kind
  label: string
  value: string
  problems: readonly TextProblem[]
  onChange: (text: string) => void
}

/** Fields of the metadata that people set; the others are in the YAML. */
const metadataFields = ['name', 'generateName', 'namespace', 'labels', 'annotations']
const fixedFields = ['apiVersion', 'kind', 'status']

/** YAML document as a form with the fields of the kind's schema. */
export function FormEditor({ kind, label, value, problems, onChange }: FormEditorProps) {
  const { client } = useConsole()
  const tree = useLoaded(() => SchemaTree.load(client, kind), [kindId(kind)])
  const object = useMemo(() => valueOf(value), [value])
  const [latest] = useState({ text: value })
  latest.text = value
  const services = useMemo<FormServices>(() => {
    const apply = (text: string) => {
      // Two changes in one event build on each other.
      latest.text = text
      onChange(text)
    }
    return {
      Field: FieldView,
      tree: tree.state === 'ready' ? tree.value : undefined,
      problems: problems.flatMap(({ path, message }) =>
        path === undefined ? [] : [{ path: positions(object, path), message }],
      ),
      set: (path, next) => apply(withValue(latest.text, path, next)),
      rename: (path, key) => apply(withKey(latest.text, path, key)),
    }
  }, [tree, problems, object, onChange, latest])
  if (tree.state === 'loading') return <Skeleton lines={8} />
  if (tree.state === 'failed') return <ErrorNote error={tree.error} onRetry={tree.reload} />
  if (tree.value === undefined)
    return <Note>The server publishes no schema for this kind: edit it as YAML.</Note>
  if (object === undefined)
    return (
      <Note tone="warn" isAlert>
        The YAML has an error. Mend it there first; nothing of it is lost.
      </Note>
    )
  return (
    <FormContext value={services}>
      <div className="form" role="group" aria-label={label}>
        {topFields(tree.value).map(([name, schema, isRequired]) => (
          <FieldView
            key={name}
            {...{ name, schema, isRequired }}
            path={[name]}
            value={object[name]}
            isTop
          />
        ))}
      </div>
    </FormContext>
  )
}

function topFields(tree: SchemaTree): [string, Schema, boolean][] {
  const { properties = {}, required = [] } = tree.root
  return Object.entries(properties)
    .filter(([name]) => !fixedFields.includes(name))
    .map(([name, schema]) =>
      name === 'metadata'
        ? [name, metadataOf(tree.resolved(schema)), true]
        : [name, schema, required.includes(name)],
    )
}

function metadataOf(schema: Schema): Schema {
  const fields = metadataFields.flatMap((name) => {
    const field = schema.properties?.[name]
    return field === undefined ? [] : [[name, field] as const]
  })
  return { type: 'object', properties: Object.fromEntries(fields), required: ['name'] }
}

/** Path with list positions in place of steps that select items by their keys. */
function positions(object: unknown, path: FieldPath): string[] {
  let value = object
  return path.map((step) => {
    if (Array.isArray(value)) {
      const at = /^\d+$/.test(step) ? Number(step) : selectedItem(value, step)
      value = value[at]
      return String(at)
    }
    const isMap = typeof value === 'object' && value !== null
    value = isMap ? (value as Record<string, unknown>)[step] : undefined
    return step
  })
}
