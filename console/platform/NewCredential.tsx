import { useState } from 'react'
import { Modal } from '../parts/Confirm.tsx'
import { CopyField } from '../parts/CopyField.tsx'
import { ErrorNote, Note } from '../parts/notes.tsx'
import { ScopeBuilder } from './ScopeBuilder.tsx'
import { isComplete, scopeOf, wholeScope } from './scopeEntries.ts'

export interface Draft {
  displayName: string
  /** Lifetime in seconds; 0: unlimited. */
  ttl: number
}

interface NewCredentialProps {
  title: string
  /** Text of the button that creates the credential. */
  button: string
  /** Label of the created credential. */
  label: string
  /** Advice beside the result. */
  advice: string
  hasName?: boolean
  lives: readonly (readonly [words: string, seconds: number])[]
  /** Creates the credential and returns its secret. @param scope fields of the spec. */
  make: (draft: Draft, scope: object) => Promise<string>
  onClose: () => void
}

/** Dialog for a key or token with a lifetime and a scope. The secret is shown once. */
export function NewCredential(props: NewCredentialProps) {
  const { title, button, label, advice, hasName = false, lives, make, onClose } = props
  const [draft, setDraft] = useState<Draft>({ displayName: '', ttl: lives[1]?.[1] ?? 0 })
  const [choice, setChoice] = useState(wholeScope)
  const [made, setMade] = useState('')
  const [error, setError] = useState<unknown>()
  const makeNow = async () => {
    const scope = scopeOf(choice)
    try {
      setMade(await make(draft, scope === undefined ? {} : { scope }))
    } catch (failure) {
      setError(failure)
    }
  }
  if (made !== '')
    return (
      <Modal title={`Your ${title.toLowerCase()}`} onClose={onClose} closeText="Done">
        <Note tone="warn">{advice}</Note>
        <CopyField label={label} value={made} />
      </Modal>
    )
  return (
    <Modal
      title={title}
      onClose={onClose}
      footer={
        <button
          type="button"
          className="button main"
          disabled={!isComplete(choice)}
          onClick={() => void makeNow()}
        >
          {button}
        </button>
      }
    >
      {error === undefined ? null : <ErrorNote error={error} />}
      {hasName ? (
        <div className="field">
          <label htmlFor="key-name">What it is for</label>
          <input
            id="key-name"
            className="input"
            value={draft.displayName}
            onChange={(event) => setDraft({ ...draft, displayName: event.target.value })}
          />
        </div>
      ) : null}
      <div className="field">
        <label htmlFor="key-life">Valid for</label>
        <select
          id="key-life"
          className="input"
          value={draft.ttl}
          onChange={(event) => setDraft({ ...draft, ttl: Number(event.target.value) })}
        >
          {lives.map(([words, seconds]) => (
            <option key={seconds} value={seconds}>
              {words}
            </option>
          ))}
        </select>
      </div>
      <ScopeBuilder choice={choice} onChange={setChoice} />
    </Modal>
  )
}
