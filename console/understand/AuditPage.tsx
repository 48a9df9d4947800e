import { useState } from 'react'
import { auditKind, auditPath, type AuditEvent, type AuditEvents } from '../api/audit.ts'
import { Age } from '../parts/Age.tsx'
import { useLoaded } from '../parts/loading.ts'
import { Badge, Empty, ErrorNote, Missing, Skeleton, type Tone } from '../parts/notes.tsx'
import { useConsole } from '../shell/console.ts'
import { href, parseRoute, replaceQuery, useHash } from '../shell/route.ts'
import { StatusError } from '../watch/statusError.ts'

const filters = [
  ['user', 'User'],
  ['verb', 'Verb'],
  ['resource', 'Resource, such as secrets'],
  ['namespace', 'Namespace'],
  ['name', 'Name'],
  ['code', 'Response code'],
] as const

/** Search in the stored audit events. */
export default function AuditPage() {
  const { everywhere } = useConsole()
  const { query } = parseRoute(useHash())
  return (
    <main className="content">
      <div className="page-head">
        <div>
          <h1>Audit log</h1>
          <p className="crumbs">
            <span>Who asked for what, and how it ended; newest first.</span>
          </p>
        </div>
      </div>
      {everywhere.allow('list', auditKind) ? (
        <>
          <Filters key={query.toString()} query={query} />
          <Events query={query} />
        </>
      ) : (
        <Missing what="read the audit log" />
      )}
    </main>
  )
}

function Filters({ query }: { query: URLSearchParams }) {
  const [draft, setDraft] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(filters.map(([id]) => [id, query.get(id) ?? ''])),
  )
  const none = Object.fromEntries(filters.map(([id]) => [id, '']))
  return (
    <form
      className="card inside-form"
      onSubmit={(event) => {
        event.preventDefault()
        replaceQuery({ ...draft, before: '' })
      }}
    >
      <div className="tiles narrow">
        {filters.map(([id, label]) => (
          <div key={id} className="field">
            <label htmlFor={`audit-${id}`}>{label}</label>
            <input
              id={`audit-${id}`}
              className="input"
              value={draft[id]}
              spellCheck={false}
              autoComplete="off"
              inputMode={id === 'code' ? 'numeric' : 'text'}
              onChange={(event) => setDraft({ ...draft, [id]: event.target.value.trim() })}
            />
          </div>
        ))}
      </div>
      <div className="buttons">
        <button className="button main">Search</button>
        <button
          type="button"
          className="button"
          onClick={() => replaceQuery({ ...none, before: '' })}
        >
          Clear
        </button>
      </div>
    </form>
  )
}

function Events({ query }: { query: URLSearchParams }) {
  const { client } = useConsole()
  const before = query.get('before') ?? ''
  const asked = query.toString()
  const page = useLoaded(
    (signal) => {
      const given = filters.flatMap(([id]) => {
        const value = query.get(id) ?? ''
        return value === '' ? [] : [[id, value] as const]
      })
      return client.call<AuditEvents>(auditPath, {
        query: {
          ...Object.fromEntries(given),
          // The last stage has the result; other stages are omitted.
          stage: 'ResponseComplete',
          limit: '100',
          ...(before === '' ? {} : { continue: before }),
        },
        signal,
      })
    },
    [asked],
  )
  if (page.state === 'loading') return <Skeleton />
  if (page.state === 'failed') return <Failed error={page.error} onRetry={page.reload} />
  const { items, metadata } = page.value
  if (items.length === 0)
    return (
      <Empty title="No event matches">
        <p>Events arrive here about a second after their request, if the policy records it.</p>
        <button type="button" className="button" onClick={page.reload}>
          Search again
        </button>
      </Empty>
    )
  return (
    <>
      <div className="card">
        <ul aria-label="Events">
          {items.map((event) => (
            <Event key={`${event.auditID} ${event.stage}`} event={event} />
          ))}
        </ul>
      </div>
      <div className="buttons">
        {before === '' ? null : (
          <button type="button" className="button" onClick={() => replaceQuery({ before: '' })}>
            Newest
          </button>
        )}
        {metadata.continue === undefined ? null : (
          <button
            type="button"
            className="button"
            onClick={() => replaceQuery({ before: metadata.continue ?? '' })}
          >
            Older
          </button>
        )}
      </div>
    </>
  )
}

function Failed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (!(error instanceof StatusError) || error.code !== 404)
    return <ErrorNote error={error} onRetry={onRetry} />
  return (
    <Empty title="The audit log cannot be searched yet">
      <p>
        Set <code>audit.dataStoreEndpoint</code> in the configuration to the address of a PostgreSQL
        database; events are searched there.
      </p>
      <a className="button" href={href(['config'])}>
        Go to the configuration
      </a>
    </Empty>
  )
}

/** The user, and the user who impersonated it. */
function actorOf({ user, impersonatedUser }: AuditEvent): string {
  const [sender = '', meant] = [user?.username, impersonatedUser?.username]
  return meant === undefined ? sender : `${meant}, by ${sender}`
}

/** Namespace, resource and name, or the path of a non-resource request. */
function targetOf({ objectRef, requestURI }: AuditEvent): string {
  const { resource = '', subresource = '', namespace = '', name = '' } = objectRef ?? {}
  if (resource === '') return requestURI
  const whole = subresource === '' ? resource : `${resource}/${subresource}`
  return [namespace, whole, name].filter(Boolean).join(' · ')
}

function codeTone(code: number): Tone {
  if (code < 400) return 'good'
  return code < 500 ? 'warn' : 'bad'
}

function Event({ event }: { event: AuditEvent }) {
  const [isOpen, setOpen] = useState(false)
  const code = event.responseStatus?.code
  return (
    <li>
      <details className="operation" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <span className="audit-time hint numbers">
            <Age since={event.stageTimestamp} />
          </span>
          <span className="audit-code">
            {code === undefined ? null : <Badge tone={codeTone(code)}>{code}</Badge>}
          </span>
          <strong className="wrap">{actorOf(event)}</strong>
          <span className="wrap">
            {event.verb} {targetOf(event)}
          </span>
        </summary>
        {isOpen ? (
          <pre className="outline inside">{JSON.stringify(event, undefined, 2)}</pre>
        ) : null}
      </details>
    </li>
  )
}
