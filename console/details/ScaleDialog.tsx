import { useState } from 'react'
import { kindPath, type Kind, type Place } from '../api/kinds.ts'
import { member, type ApiObject } from '../api/objects.ts'
import { Modal } from '../parts/Confirm.tsx'
import { ErrorNote } from '../parts/notes.tsx'
import { useSay } from '../parts/toasts.tsx'
import { useConsole } from '../shell/console.ts'
import { fieldManager } from '../api/fieldManager.ts'

interface ScaleDialogProps {
  kind: Kind
  place: Place
  object: ApiObject
  onClose: () => void
}

function replicasOf(object: ApiObject): string {
  const count = member(object, 'spec', 'replicas')
  return typeof count === 'number' ? String(count) : '1'
}

/** Dialog that changes the number of replicas. */
export function ScaleDialog({ kind, place, object, onClose }: ScaleDialogProps) {
  const { client } = useConsole()
  const say = useSay()
  const [count, setCount] = useState(() => replicasOf(object))
  const [error, setError] = useState<unknown>()
  const isValid = /^\d{1,6}$/.test(count)
  const save = async () => {
    try {
      await client.call(kindPath(kind, { ...place, subresource: 'scale' }), {
        method: 'PATCH',
        contentType: 'application/merge-patch+json',
        query: { fieldManager },
        body: { spec: { replicas: Number(count) } },
      })
      say(`${place.name} is scaled to ${count}.`)
      onClose()
    } catch (failure) {
      setError(failure)
    }
  }
  return (
    <Modal
      title={`Scale ${place.name}`}
      onClose={onClose}
      footer={
        <button
          type="button"
          className="button main"
          disabled={!isValid}
          onClick={() => void save()}
        >
          Scale
        </button>
      }
    >
      {error === undefined ? null : <ErrorNote error={error} />}
      <div className="field">
        <label htmlFor="replicas">Replicas</label>
        <input
          id="replicas"
          className="input"
          inputMode="numeric"
          value={count}
          onChange={(event) => setCount(event.target.value.trim())}
        />
      </div>
    </Modal>
  )
}
