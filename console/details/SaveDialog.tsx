import { useState } from 'react'
import type { Kind, Place } from '../api/kinds.ts'
import { kindPath } from '../api/kinds.ts'
import type { ApiObject } from '../api/objects.ts'
import { DiffView } from '../editor/DiffView.tsx'
import { yamlOf } from '../editor/yaml.ts'
import { Modal } from '../parts/Confirm.tsx'
import { useLoaded } from '../parts/loading.ts'
import { ErrorNote, Note, Skeleton } from '../parts/notes.tsx'
import { useSay } from '../parts/toasts.tsx'
import { useConsole } from '../shell/console.ts'

export const fieldManager = 'console'

interface SaveDialogProps {
  kind: Kind
  place: Place
  /** Object as it is stored; undefined: it is created. */
  before: ApiObject | undefined
  after: ApiObject
  onClose: () => void
  onSaved: (object: ApiObject) => void
  /** Called with an error of the dry run or of the write; the dialog stays open and shows it. */
  onError?: (error: unknown) => void
}

/** Shows what the server would store, by a dry run, before anything is written. */
export function SaveDialog(props: SaveDialogProps) {
  const { kind, place, before, after, onClose, onSaved, onError } = props
  const { client } = useConsole()
  const say = useSay()
  const [warnings, setWarnings] = useState<readonly string[]>([])
  const [failure, setFailure] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const isNew = before === undefined
  const path = kindPath(kind, isNew ? { namespace: place.namespace } : place)
  const send = (query: Record<string, string>, noted: (text: string) => void) =>
    client.call<ApiObject>(path, {
      method: isNew ? 'POST' : 'PUT',
      body: after,
      query: { fieldManager, fieldValidation: 'Strict', ...query },
      onWarning: noted,
    })
  const trial = useLoaded(async () => {
    try {
      const found: string[] = []
      const object = await send({ dryRun: 'All' }, (text) => found.push(text))
      setWarnings(found)
      return object
    } catch (error) {
      onError?.(error)
      throw error
    }
  }, [path, after])
  const save = async () => {
    setBusy(true)
    try {
      const saved = await send({}, (text) => say(text, 'warn'))
      say(`${kind.kind} ${saved.metadata.name} is stored.`)
      onSaved(saved)
    } catch (error) {
      setFailure(error)
      onError?.(error)
    }
    setBusy(false)
  }
  return (
    <Modal
      title={isNew ? `Create this ${kind.kind}?` : 'Save these changes?'}
      onClose={onClose}
      closeText="Back to the editor"
      isWide
      footer={
        <button
          type="button"
          className="button main"
          disabled={trial.state !== 'ready' || isBusy}
          onClick={() => void save()}
        >
          {isNew ? 'Create' : 'Save'}
        </button>
      }
    >
      {failure === undefined ? null : <ErrorNote error={failure} />}
      {trial.state === 'loading' ? <Skeleton /> : null}
      {trial.state === 'failed' ? <ErrorNote error={trial.error} /> : null}
      {trial.state === 'ready' ? (
        <>
          <p className="hint">The server has tried this and would store the following.</p>
          {warnings.map((text) => (
            <Note key={text} tone="warn">
              {text}
            </Note>
          ))}
          <DiffView before={isNew ? '' : yamlOf(before)} after={yamlOf(trial.value)} />
        </>
      ) : null}
    </Modal>
  )
}
