import { useState } from 'react'
import { kindPath, type Kind, type Place } from '../api/kinds.ts'
import type { ApiObject } from '../api/objects.ts'
import { Modal } from '../parts/Confirm.tsx'
import { ErrorNote, Note } from '../parts/notes.tsx'
import { useSay } from '../parts/toasts.tsx'
import { useConsole } from '../shell/console.ts'
import { fieldManager } from '../api/fieldManager.ts'

interface LabelDialogProps {
  kind: Kind
  place: Place
  object: ApiObject
  onClose: () => void
}

/** Editor of labels as lines; only changed labels are sent. */
export function LabelDialog({ kind, place, object, onClose }: LabelDialogProps) {
  const { client } = useConsole()
  const say = useSay()
  const [before] = useState(object.metadata.labels ?? {})
  const [lines, setLines] = useState(() =>
    Object.entries(before)
      .map((pair) => pair.join('='))
      .join('\n'),
  )
  const [error, setError] = useState<unknown>()
  const after = labelsIn(lines)
  const save = async () => {
    if (after === undefined) return
    const removed = Object.keys(before).filter((key) => !Object.hasOwn(after, key))
    const labels = { ...after, ...Object.fromEntries(removed.map((key) => [key, null])) }
    try {
      await client.call(kindPath(kind, place), {
        method: 'PATCH',
        contentType: 'application/merge-patch+json',
        query: { fieldManager },
        body: { metadata: { labels } },
      })
      say('The labels are stored.')
      onClose()
    } catch (failure) {
      setError(failure)
    }
  }
  return (
    <Modal
      title={`Labels of ${place.name}`}
      onClose={onClose}
      footer={
        <button
          type="button"
          className="button main"
          disabled={after === undefined}
          onClick={() => void save()}
        >
          Save
        </button>
      }
    >
      {error === undefined ? null : <ErrorNote error={error} />}
      {after === undefined ? <Note tone="warn">Each line has the form key=value.</Note> : null}
      <div className="field">
        <label htmlFor="labels">One label a line</label>
        <textarea
          id="labels"
          className="input"
          rows={8}
          spellCheck={false}
          value={lines}
          onChange={(event) => setLines(event.target.value)}
        />
      </div>
    </Modal>
  )
}

/** Labels of lines; undefined: a line is invalid. */
function labelsIn(lines: string): Record<string, string> | undefined {
  const pairs = lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => /^([^=\s]+)=(\S*)$/.exec(line))
  if (pairs.includes(null)) return undefined
  return Object.fromEntries(pairs.map((pair) => [pair?.[1] ?? '', pair?.[2] ?? '']))
}
