import { useState } from 'react'
import { appliedConfig, conflictsOf, withoutFields, type FieldConflict } from '../api/applied.ts'
import type { Kind, Place } from '../api/kinds.ts'
import { apiVersionOf, kindPath } from '../api/kinds.ts'
import type { ApiObject } from '../api/objects.ts'
import { DiffView } from '../editor/DiffView.tsx'
import { yamlOf } from '../editor/yaml.ts'
import { Modal } from '../parts/Confirm.tsx'
import { useLoaded, type Loaded } from '../parts/loading.ts'
import { ErrorNote, Note, Skeleton } from '../parts/notes.tsx'
import { useSay } from '../parts/toasts.tsx'
import { useConsole } from '../shell/console.ts'
import { fieldManager } from '../api/fieldManager.ts'
import { FieldConflicts, type Decision } from './FieldConflicts.tsx'

interface SaveDialogProps {
  kind: Kind
  place: Place
  /** Stored object; undefined: a new object. */
  before: ApiObject | undefined
  after: ApiObject
  onClose: () => void
  onSaved: (object: ApiObject) => void
  /** Called with an error of the dry run or of the write; the dialog stays open and shows it. */
  onError?: (error: unknown) => void
  /** True if the change can be sent as an apply, which respects fields of other managers. */
  mayApply?: boolean
}

interface Write {
  method: string
  path: string
  body: ApiObject
  contentType?: string
  query: Record<string, string>
}

const noDecisions: ReadonlyMap<string, Decision> = new Map()

/** Shows the result of a dry run before anything is written. */
export function SaveDialog(props: SaveDialogProps) {
  const { kind, before, after, onClose, onSaved, onError, mayApply = false } = props
  const { client } = useConsole()
  const say = useSay()
  const [warnings, setWarnings] = useState<readonly string[]>([])
  const [failure, setFailure] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const [isApply, setApply] = useState(false)
  const [decisions, setDecisions] = useState(noDecisions)
  const isNew = before === undefined
  const [conflicts, setConflicts] = useState<readonly FieldConflict[]>([])
  const isDecided = conflicts.every(({ field }) => decisions.has(field))
  const write = isApply ? applyOf(props, { decisions, isDecided }) : writeOf(props)
  const send = ({ path, query, ...rest }: Write, noted: (text: string) => void, isTrial: boolean) =>
    client.call<ApiObject>(path, {
      ...rest,
      query: {
        fieldManager,
        fieldValidation: 'Strict',
        ...query,
        ...(isTrial ? { dryRun: 'All' } : {}),
      },
      onWarning: noted,
    })
  const trial = useLoaded(async () => {
    try {
      const found: string[] = []
      const object = await send(write, (text) => found.push(text), true)
      setWarnings(found)
      return object
    } catch (error) {
      onError?.(error)
      throw error
    }
  }, [write])
  const found = trial.state === 'failed' ? conflictsOf(trial.error) : []
  const open = [
    ...conflicts,
    ...found.filter(({ field }) => !conflicts.some((c) => c.field === field)),
  ]
  if (open.length > conflicts.length) setConflicts(open)
  const choose = (on: boolean) => {
    setApply(on)
    setConflicts([])
    setDecisions(noDecisions)
  }
  const save = async () => {
    setBusy(true)
    try {
      const saved = await send(write, (text) => say(text, 'warn'), false)
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
          disabled={trial.state !== 'ready' || isBusy || !isDecided}
          onClick={() => void save()}
        >
          {verbOf(isNew, isApply)}
        </button>
      }
    >
      {mayApply && !isNew ? (
        <label className="choice">
          <input
            type="checkbox"
            checked={isApply}
            onChange={(event) => choose(event.target.checked)}
          />
          <span>Apply, and ask before fields of other managers are changed</span>
        </label>
      ) : null}
      {failure === undefined ? null : <ErrorNote error={failure} />}
      {conflicts.length === 0 ? null : (
        <FieldConflicts
          {...{ conflicts, decisions }}
          mine={after}
          stored={before}
          onDecide={(field, decision) => setDecisions(new Map(decisions).set(field, decision))}
        />
      )}
      <Trial {...{ trial, warnings, before }} hasConflicts={found.length > 0} />
    </Modal>
  )
}

function verbOf(isNew: boolean, isApply: boolean): string {
  if (isNew) return 'Create'
  return isApply ? 'Apply' : 'Save'
}

interface TrialProps {
  trial: Loaded<ApiObject>
  warnings: readonly string[]
  before: ApiObject | undefined
  hasConflicts: boolean
}

/** Result of the dry run: the difference to the stored object, or the error. */
function Trial({ trial, warnings, before, hasConflicts }: TrialProps) {
  if (trial.state === 'loading') return <Skeleton />
  if (trial.state === 'failed') return hasConflicts ? null : <ErrorNote error={trial.error} />
  return (
    <>
      <p className="hint">The server has tried this and would store the following.</p>
      {warnings.map((text) => (
        <Note key={text} tone="warn">
          {text}
        </Note>
      ))}
      <DiffView before={before === undefined ? '' : yamlOf(before)} after={yamlOf(trial.value)} />
    </>
  )
}

function writeOf({ kind, place, before, after }: SaveDialogProps): Write {
  const isNew = before === undefined
  const path = kindPath(kind, isNew ? { namespace: place.namespace } : place)
  return { method: isNew ? 'POST' : 'PUT', path, body: after, query: {} }
}

/** Applies everything except the fields left to their owners. Forces the apply only after each conflict was decided. */
function applyOf(
  { kind, place, after }: SaveDialogProps,
  { decisions, isDecided }: { decisions: ReadonlyMap<string, Decision>; isDecided: boolean },
): Write {
  const fields = (wanted: Decision) =>
    [...decisions].filter(([, decision]) => decision === wanted).map(([field]) => field)
  const body = withoutFields(appliedConfig(after), fields('theirs'))
  return {
    method: 'PATCH',
    path: kindPath(kind, place),
    body: { ...body, apiVersion: apiVersionOf(kind), kind: kind.kind },
    contentType: 'application/apply-patch+yaml',
    query: isDecided && fields('mine').length > 0 ? { force: 'true' } : {},
  }
}
