import type { ReactNode } from 'react'
import { StatusError } from '../watch/statusError.ts'
import { Icon, type IconName } from './Icon.tsx'

export type Tone = 'plain' | 'good' | 'warn' | 'bad'

const icons: Readonly<Record<Tone, IconName>> = {
  plain: 'info',
  good: 'good',
  warn: 'warn',
  bad: 'bad',
}

/** State as a word with an icon, so that the color is not needed. */
export function Badge({ tone = 'plain', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span className={`badge ${tone}`}>
      {tone === 'plain' ? null : <Icon name={icons[tone]} />}
      {children}
    </span>
  )
}

interface NoteProps {
  tone?: Tone
  children: ReactNode
  /** True if a screen reader announces it at once. */
  isAlert?: boolean
}

export function Note({ tone = 'plain', children, isAlert = false }: NoteProps) {
  return (
    <div className={`note ${tone}`} role={isAlert ? 'alert' : undefined}>
      <Icon name={icons[tone]} />
      <div>{children}</div>
    </div>
  )
}

/** Error with the server's message and causes, and a way to continue. */
export function ErrorNote({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const causes = error instanceof StatusError ? (error.details.causes ?? []) : []
  return (
    <Note tone="bad" isAlert>
      <p>{errorText(error)}</p>
      {causes.length > 1 ? (
        <ul>
          {causes.map(({ field = '', message = '' }) => (
            <li key={field + message}>
              <code>{field}</code> {message}
            </li>
          ))}
        </ul>
      ) : null}
      {onRetry === undefined ? null : (
        <p>
          <button type="button" className="button" onClick={onRetry}>
            <Icon name="retry" /> Try again
          </button>
        </p>
      )}
    </Note>
  )
}

/** Sentence for an error. */
export function errorText(error: unknown): string {
  if (error instanceof StatusError) return error.message
  // The message of a TypeError depends on the browser.
  if (error instanceof TypeError) return 'The server cannot be reached.'
  return error instanceof Error ? error.message : String(error)
}

interface EmptyProps {
  title: string
  children?: ReactNode
}

/** Page or list without content, with the reason and the next step. */
export function Empty({ title, children }: EmptyProps) {
  return (
    <div className="empty">
      <strong>{title}</strong>
      {children}
    </div>
  )
}

/** Message for something that the user has no right to. @param why address of the explanation. */
export function Missing({ what, why }: { what: string; why?: string }) {
  return (
    <Empty title="You do not have access to this page">
      <p>
        Your account may not {what}. Ask an administrator of the platform, or an owner of the
        project, for a role that includes it.
      </p>
      {why === undefined ? null : (
        <a className="button" href={why}>
          What is missing, and whom to ask
        </a>
      )}
    </Empty>
  )
}

const widths = ['72%', '54%', '63%', '40%', '58%']

/** Placeholder of text that is loading. */
export function Skeleton({ lines = 5 }: { lines?: number }) {
  return (
    <div className="stack" role="status">
      <span className="visually-hidden">Loading</span>
      {Array.from({ length: lines }, (_, at) => (
        <div key={at} className="skeleton" style={{ width: widths[at % widths.length] }} />
      ))}
    </div>
  )
}
