import { useState } from 'react'
import { kindPath, type Kind } from '../api/kinds.ts'
import { text, type ApiObject } from '../api/objects.ts'
import { Modal } from '../parts/Confirm.tsx'
import { CopyField } from '../parts/CopyField.tsx'
import { ErrorNote, Note } from '../parts/notes.tsx'
import { useConsole } from '../shell/console.ts'
import { scopeWords } from './scopeWords.ts'

const lives = [
  ['1 day', 86_400],
  ['30 days', 2_592_000],
  ['1 year', 31_536_000],
  ['No end', 0],
] as const

const reaches = [
  ['everything', 'Everything that I may do'],
  ['read', 'Only read'],
  ['project', 'Only one project'],
] as const
type Reach = (typeof reaches)[number][0]

interface Draft {
  displayName: string
  ttl: number
  reach: Reach
  project: string
}

/** Scope for what was chosen; undefined: no limit. */
function scopeOf({ reach, project }: Draft): object | undefined {
  if (reach === 'everything') return undefined
  if (reach === 'project') return { projects: [{ project: project.trim() }] }
  const all = { resources: [{ group: '*', resources: ['*'] }], verbs: ['get', 'list', 'watch'] }
  return { rules: [all, { nonResourceURLs: ['*'], verbs: ['get'] }] }
}

/** Makes an access key, which is shown only here, once. */
export function NewKey({ kind, onClose }: { kind: Kind; onClose: () => void }) {
  const { client, me } = useConsole()
  const [draft, setDraft] = useState<Draft>({
    displayName: '',
    ttl: 2_592_000,
    reach: 'everything',
    project: '',
  })
  const [made, setMade] = useState('')
  const [error, setError] = useState<unknown>()
  const scope = scopeOf(draft)
  const make = async () => {
    const { displayName, ttl } = draft
    const body = {
      metadata: { generateName: 'key-' },
      spec: { user: me.name, displayName, ttl, ...(scope === undefined ? {} : { scope }) },
    }
    try {
      const key = await client.call<ApiObject>(kindPath(kind), { method: 'POST', body })
      setMade(text(key, 'spec', 'key'))
    } catch (failure) {
      setError(failure)
    }
  }
  if (made !== '')
    return (
      <Modal title="Your new access key" onClose={onClose} closeText="Done">
        <Note tone="warn">
          Copy it now: the server keeps only its digest, and cannot show it again.
        </Note>
        <CopyField label="Access key" value={made} />
      </Modal>
    )
  return (
    <Modal
      title="New access key"
      onClose={onClose}
      footer={
        <button
          type="button"
          className="button main"
          disabled={draft.reach === 'project' && draft.project.trim() === ''}
          onClick={() => void make()}
        >
          Make the key
        </button>
      }
    >
      {error === undefined ? null : <ErrorNote error={error} />}
      <KeyFields draft={draft} onChange={setDraft} />
      <Note>
        <strong>It allows:</strong> {scopeWords(scope).join(' ')}
      </Note>
    </Modal>
  )
}

function KeyFields({ draft, onChange }: { draft: Draft; onChange: (draft: Draft) => void }) {
  return (
    <>
      <div className="field">
        <label htmlFor="key-name">What it is for</label>
        <input
          id="key-name"
          className="input"
          value={draft.displayName}
          onChange={(event) => onChange({ ...draft, displayName: event.target.value })}
        />
      </div>
      <div className="field">
        <label htmlFor="key-life">Valid for</label>
        <select
          id="key-life"
          className="input"
          value={draft.ttl}
          onChange={(event) => onChange({ ...draft, ttl: Number(event.target.value) })}
        >
          {lives.map(([words, seconds]) => (
            <option key={seconds} value={seconds}>
              {words}
            </option>
          ))}
        </select>
      </div>
      <fieldset className="plain-fieldset">
        <legend className="label">What it may do</legend>
        {reaches.map(([reach, words]) => (
          <label key={reach} className="buttons">
            <input
              type="radio"
              name="reach"
              checked={draft.reach === reach}
              onChange={() => onChange({ ...draft, reach })}
            />
            {words}
          </label>
        ))}
      </fieldset>
      {draft.reach === 'project' ? (
        <div className="field">
          <label htmlFor="key-project">Project</label>
          <input
            id="key-project"
            className="input"
            value={draft.project}
            onChange={(event) => onChange({ ...draft, project: event.target.value })}
          />
        </div>
      ) : null}
    </>
  )
}
