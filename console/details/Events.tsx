import type { Kind } from '../api/kinds.ts'
import { member, text, type ApiObject } from '../api/objects.ts'
import { Age } from '../parts/Age.tsx'
import { TableHead } from '../parts/TableHead.tsx'
import { Badge, Empty, ErrorNote, Missing, Skeleton } from '../parts/notes.tsx'
import { useConsole } from '../shell/console.ts'
import { useObjects } from '../shell/feeds.ts'
import { useKnownRights } from '../shell/rights.ts'

/** Events about an object, newest first, live. */
export function Events({ object, kind }: { object: ApiObject; kind: Kind }) {
  // Events about cluster-scoped objects are in the default namespace.
  const namespace = object.metadata.namespace ?? 'default'
  const query = {
    fieldSelector: `involvedObject.kind=${kind.kind},involvedObject.name=${object.metadata.name}`,
  }
  return <EventList namespace={namespace} query={query} />
}

interface EventListProps {
  namespace: string
  query?: Record<string, string>
  limit?: number
}

export function EventList({ namespace, query = {}, limit = 200 }: EventListProps) {
  const { kinds } = useConsole()
  const kind = kinds.find(({ group, plural }) => group === '' && plural === 'events')
  const rights = useKnownRights(namespace)
  const mayList = kind !== undefined && rights?.allow('list', kind) === true
  const { items, state } = useObjects(mayList ? kind : undefined, { namespace, query })
  if (rights === undefined) return <Skeleton />
  if (!mayList) return <Missing what={`list events in the namespace ${namespace}`} />
  if (state.name === 'refused') return <ErrorNote error={state.error} />
  if (state.name === 'loading') return <Skeleton />
  const events = [...items].sort((a, b) => (lastSeen(a) < lastSeen(b) ? 1 : -1)).slice(0, limit)
  if (events.length === 0)
    return (
      <Empty title="No events">
        <p>Events are kept for an hour by default.</p>
      </Empty>
    )
  return (
    <div className="scroll-x" tabIndex={0} role="region" aria-label="Events">
      <table className="plain-table">
        <TableHead names={['Type', 'Reason', 'Message', 'Count', 'Last seen']} />
        <tbody>
          {events.map((event) => (
            <EventRow key={event.metadata.uid} event={event} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function EventRow({ event }: { event: ApiObject }) {
  const type = text(event, 'type')
  return (
    <tr>
      <td className="short">
        <Badge tone={type === 'Warning' ? 'warn' : 'plain'}>{type || 'Normal'}</Badge>
      </td>
      <td className="short">{text(event, 'reason')}</td>
      <td>{text(event, 'message') || text(event, 'note')}</td>
      <td className="numbers">{countOf(event)}</td>
      <td className="short">
        <Age since={lastSeen(event)} />
      </td>
    </tr>
  )
}

function countOf(event: ApiObject): number {
  const count = member(event, 'count')
  return typeof count === 'number' ? count : 1
}

function lastSeen(event: ApiObject): string {
  return (
    text(event, 'lastTimestamp') ||
    text(event, 'eventTime') ||
    (event.metadata.creationTimestamp ?? '')
  )
}
