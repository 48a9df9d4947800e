import { useMemo, useState } from 'react'
import { kindPath, type Kind } from '../api/kinds.ts'
import { fieldManager } from '../api/fieldManager.ts'
import { Modal } from '../parts/Confirm.tsx'
import { ConfirmDelete } from '../parts/ConfirmDelete.tsx'
import { Note } from '../parts/notes.tsx'
import { counted } from '../parts/words.ts'
import { useConsole } from '../shell/console.ts'
import { useKeys } from '../shell/keys.ts'
import { kindTitle } from '../shell/kindGroups.ts'
import type { ListedMetadata, Row } from '../watch/shapes.ts'
import { labelChanges } from './labelChanges.ts'
import { useBulk } from './useBulk.ts'

interface SelectedProps {
  kind: Kind
  items: ReadonlyMap<string, Row> | undefined
  picked: ReadonlySet<string>
  mayDelete: boolean
  mayPatch: boolean
  onDone: () => void
}

/** Actions on the selected rows. */
export function Selected({ kind, items, picked, mayDelete, mayPatch, onDone }: SelectedProps) {
  const [open, setOpen] = useState<'delete' | 'labels'>()
  const objects = useMemo(
    () => [...picked].flatMap((key) => items?.get(key)?.object.metadata ?? []),
    [picked, items, open],
  )
  useKeys(objects.length > 0 && mayDelete ? { 'mod+d': () => setOpen('delete') } : {})
  if (objects.length === 0) return null
  const close = (isDone: boolean) => {
    setOpen(undefined)
    if (isDone) onDone()
  }
  return (
    <div className="tools" role="region" aria-label="Selection">
      <strong className="numbers">{objects.length} selected</strong>
      {mayPatch ? (
        <button type="button" className="button" onClick={() => setOpen('labels')}>
          Labels …
        </button>
      ) : null}
      {mayDelete ? (
        <button type="button" className="button danger" onClick={() => setOpen('delete')}>
          Delete …
        </button>
      ) : null}
      <button type="button" className="button quiet" onClick={onDone}>
        Clear the selection
      </button>
      {open === 'delete' ? <DeleteMany {...{ kind, objects }} onClose={close} /> : null}
      {open === 'labels' ? <LabelMany {...{ kind, objects }} onClose={close} /> : null}
    </div>
  )
}

interface ManyProps {
  kind: Kind
  objects: readonly ListedMetadata[]
  onClose: (isDone: boolean) => void
}

function howMany(kind: Kind, count: number): string {
  const title = kindTitle(kind).toLowerCase()
  return counted(count, count === 1 ? kind.kind : title, title)
}

function DeleteMany({ kind, objects, onClose }: ManyProps) {
  const { client } = useConsole()
  const bulk = useBulk(objects, async ({ name, namespace, uid }) => {
    const body = { preconditions: uid === undefined ? {} : { uid } }
    await client.call(kindPath(kind, { namespace, name }), { method: 'DELETE', body })
  })
  const run = async () => {
    if (await bulk.run()) onClose(true)
  }
  const { chosen, done, isDone, problems } = bulk
  return (
    <ConfirmDelete
      title={`Delete ${howMany(kind, chosen.length)}?`}
      onClose={() => onClose(isDone)}
      closeText={isDone ? 'Close' : 'Cancel'}
      onDelete={run}
      progress={done === undefined ? undefined : `${done} of ${chosen.length} deleted`}
    >
      <p>Objects that they own are deleted with them. This cannot be undone.</p>
      <Chosen {...{ chosen, problems }} />
    </ConfirmDelete>
  )
}

/** Adds, changes and removes labels of many objects. */
function LabelMany({ kind, objects, onClose }: ManyProps) {
  const { client } = useConsole()
  const [lines, setLines] = useState('')
  const labels = labelChanges(lines)
  const bulk = useBulk(objects, async ({ name, namespace }) => {
    await client.call(kindPath(kind, { namespace, name }), {
      method: 'PATCH',
      contentType: 'application/merge-patch+json',
      query: { fieldManager },
      body: { metadata: { labels } },
    })
  })
  const { chosen, done, isDone, problems } = bulk
  const run = async () => {
    if (await bulk.run()) onClose(true)
  }
  return (
    <Modal
      title={`Labels of ${howMany(kind, chosen.length)}`}
      onClose={() => onClose(isDone)}
      closeText={isDone ? 'Close' : 'Cancel'}
      footer={
        <button
          type="button"
          className="button main"
          disabled={labels === undefined || done !== undefined}
          onClick={() => void run()}
        >
          {done === undefined ? 'Save' : `${done} of ${chosen.length} stored`}
        </button>
      }
    >
      <div className="field">
        <label htmlFor="bulk-labels">One label a line: key=value sets it, key- removes it</label>
        <textarea
          id="bulk-labels"
          className="input"
          rows={4}
          spellCheck={false}
          value={lines}
          onChange={(event) => setLines(event.target.value)}
        />
      </div>
      <Chosen {...{ chosen, problems }} />
    </Modal>
  )
}

interface ChosenProps {
  chosen: readonly ListedMetadata[]
  problems: readonly string[]
}

const maxNamed = 50

function Chosen({ chosen, problems }: ChosenProps) {
  return (
    <>
      <ul className="chips">
        {chosen.slice(0, maxNamed).map(({ name, namespace = '', uid }) => (
          <li key={uid ?? name} className="chip">
            {namespace === '' ? name : `${namespace}/${name}`}
          </li>
        ))}
        {chosen.length > maxNamed ? (
          <li className="hint">and {(chosen.length - maxNamed).toLocaleString('en')} more</li>
        ) : null}
      </ul>
      {problems.map((text) => (
        <Note key={text} tone="bad">
          {text}
        </Note>
      ))}
    </>
  )
}
