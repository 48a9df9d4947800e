import { useMemo, useState } from 'react'
import { kindPath, type Kind } from '../api/kinds.ts'
import { ConfirmDelete } from '../parts/ConfirmDelete.tsx'
import { Note, errorText } from '../parts/notes.tsx'
import { useConsole } from '../shell/console.ts'
import { useKeys } from '../shell/keys.ts'
import { kindTitle } from '../shell/kindGroups.ts'
import type { ListedMetadata, Row } from '../watch/shapes.ts'

interface SelectedProps {
  kind: Kind
  items: ReadonlyMap<string, Row> | undefined
  picked: ReadonlySet<string>
  onDone: () => void
}

/** Actions on the selected rows. */
export function Selected({ kind, items, picked, onDone }: SelectedProps) {
  const [isOpen, setOpen] = useState(false)
  const objects = useMemo(
    () => [...picked].flatMap((key) => items?.get(key)?.object.metadata ?? []),
    [picked, items, isOpen],
  )
  useKeys(objects.length > 0 ? { 'mod+d': () => setOpen(true) } : {})
  if (objects.length === 0) return null
  return (
    <div className="tools" role="region" aria-label="Selection">
      <strong className="numbers">{objects.length} selected</strong>
      <button type="button" className="button danger" onClick={() => setOpen(true)}>
        Delete …
      </button>
      <button type="button" className="button quiet" onClick={onDone}>
        Clear the selection
      </button>
      {isOpen ? (
        <DeleteMany
          kind={kind}
          objects={objects}
          onClose={(isDone) => {
            setOpen(false)
            if (isDone) onDone()
          }}
        />
      ) : null}
    </div>
  )
}

interface DeleteManyProps {
  kind: Kind
  objects: readonly ListedMetadata[]
  onClose: (isDone: boolean) => void
}

function DeleteMany({ kind, objects, onClose }: DeleteManyProps) {
  const { client } = useConsole()
  const [done, setDone] = useState<number>()
  const [problems, setProblems] = useState<readonly string[]>([])
  const [chosen] = useState(objects)
  const run = async () => {
    const found: string[] = []
    setDone(0)
    for (const [at, { name, namespace, uid }] of chosen.entries()) {
      const body = { preconditions: uid === undefined ? {} : { uid } }
      await client
        .call(kindPath(kind, { namespace, name }), { method: 'DELETE', body })
        .catch((error: unknown) => found.push(`${name}: ${errorText(error)}`))
      setDone(at + 1)
      setProblems([...found])
    }
    if (found.length === 0) onClose(true)
  }
  const isDone = done === chosen.length
  return (
    <ConfirmDelete
      title={`Delete ${chosen.length} ${kindTitle(kind).toLowerCase()}?`}
      onClose={() => onClose(isDone)}
      closeText={isDone ? 'Close' : 'Cancel'}
      onDelete={run}
      progress={done === undefined ? undefined : `${done} of ${chosen.length} deleted`}
    >
      <p>Objects that they own are deleted with them. This cannot be undone.</p>
      <ul className="chips">
        {chosen.slice(0, 50).map(({ name, namespace = '', uid }) => (
          <li key={uid ?? name} className="chip">
            {namespace === '' ? name : `${namespace}/${name}`}
          </li>
        ))}
      </ul>
      {problems.map((text) => (
        <Note key={text} tone="bad">
          {text}
        </Note>
      ))}
    </ConfirmDelete>
  )
}
