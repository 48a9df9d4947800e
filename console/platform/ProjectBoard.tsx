import { kindPath, platformKind, type Kind } from '../api/kinds.ts'
import { listOf, mapOf, text, type ApiObject } from '../api/objects.ts'
import { EventList } from '../details/Events.tsx'
import { Phase } from '../details/Summary.tsx'
import { Card } from '../parts/Card.tsx'
import { Age } from '../parts/Age.tsx'
import { useLoaded } from '../parts/loading.ts'
import { Badge, ErrorNote, Missing, Skeleton } from '../parts/notes.tsx'
import { quantitiesIn, QuotaBars } from '../parts/QuotaBars.tsx'
import { useConsole } from '../shell/console.ts'
import { useObject, useObjects } from '../shell/feeds.ts'
import { kindTitle } from '../shell/kindGroups.ts'
import { useKnownRights } from '../shell/rights.ts'
import { href, newHref, objectHref } from '../shell/route.ts'

/** Project page: members, quota, instances, secrets and events. */
export default function ProjectBoard({ name }: { name: string }) {
  const { kinds, everywhere } = useConsole()
  const kind = platformKind(kinds, 'projects')
  const mayRead = kind !== undefined && everywhere.allow('get', kind, { name })
  return (
    <main className="content">
      {kind !== undefined && mayRead ? (
        <Board kind={kind} name={name} />
      ) : (
        <>
          <h1>{name}</h1>
          <Missing what={`read the project “${name}”`} />
        </>
      )}
    </main>
  )
}

function Board({ kind, name }: { kind: Kind; name: string }) {
  const { kinds, me } = useConsole()
  const view = useObject(kind, { name })
  if (view.state === 'loading') return <Skeleton />
  if (view.state === 'failed')
    return (
      <>
        <h1>{name}</h1>
        <ErrorNote error={view.error} />
      </>
    )
  const { object } = view
  const namespace = `${me.projectNamespacePrefix ?? ''}${name}`
  return (
    <>
      <div className="page-head">
        <div>
          <p className="crumbs">
            <a href={href(['projects'])}>Projects</a>
            <span>namespace {namespace}</span>
          </p>
          <h1>{text(object, 'spec', 'displayName') || name}</h1>
        </div>
        <div className="buttons">
          <a className="button" href={objectHref(kind, { name })}>
            Details
          </a>
          <a className="button" href={objectHref(kind, { name }, 'yaml')}>
            Edit
          </a>
        </div>
      </div>
      {text(object, 'spec', 'description') === '' ? null : (
        <p className="muted wrap">{text(object, 'spec', 'description')}</p>
      )}
      <div className="tiles">
        <Members kind={kind} project={object} />
        <Quota project={object} />
        {['virtualclusterinstances', 'spaceinstances', 'projectsecrets', 'sharedsecrets'].map(
          (plural) => {
            const below = platformKind(kinds, plural)
            return below === undefined ? null : (
              <Objects key={plural} kind={below} namespace={namespace} />
            )
          },
        )}
      </div>
      <Card title="Recent events">
        <EventList namespace={namespace} limit={20} />
      </Card>
    </>
  )
}

interface MemberInfo {
  info?: unknown
}

function Members({ kind, project }: { kind: Kind; project: ApiObject }) {
  const { client, everywhere } = useConsole()
  const { name, resourceVersion } = project.metadata
  const mayRead = everywhere.allow('get', kind, { name, subresource: 'members' })
  const members = useLoaded(
    async (signal) => {
      if (!mayRead) return []
      const path = kindPath(kind, { name, subresource: 'members' })
      const found = await client.call<{ users?: MemberInfo[]; teams?: MemberInfo[] }>(path, {
        signal,
      })
      return [
        ...(found.teams ?? []).map((each) => ({ ...each, what: 'Team' })),
        ...(found.users ?? []).map((each) => ({ ...each, what: 'User' })),
      ]
    },
    [name, resourceVersion, mayRead],
  )
  const roles = new Map(
    listOf(project, 'spec', 'members').map((each) => [
      text(each, 'name'),
      text(each, 'clusterRole'),
    ]),
  )
  return (
    <Card title="Members">
      {mayRead ? null : <p className="hint">Your account may not see the members.</p>}
      {members.state === 'loading' ? <Skeleton lines={3} /> : null}
      {members.state === 'failed' ? <ErrorNote error={members.error} /> : null}
      {members.state === 'ready' ? (
        <ul className="stack tight">
          {members.value.map(({ what, info }) => (
            <li key={`${what} ${text(info, 'name')}`} className="wrap">
              {text(info, 'displayName') || text(info, 'name')} <Badge>{what}</Badge>{' '}
              <span className="hint">{roles.get(text(info, 'name')) ?? ''}</span>
            </li>
          ))}
          {mayRead && members.value.length === 0 ? <li className="hint">No members yet.</li> : null}
        </ul>
      ) : null}
    </Card>
  )
}

/** Limits of the project and their usage. */
function Quota({ project }: { project: ApiObject }) {
  const limits = mapOf(project, 'spec', 'quotas', 'project')
  const used = mapOf(project, 'status', 'quotas', 'project', 'used')
  return (
    <Card title="Quota">
      {Object.keys(limits).length === 0 ? <p className="hint">The project has no limits.</p> : null}
      <QuotaBars limits={quantitiesIn(limits)} used={quantitiesIn(used)} />
    </Card>
  )
}

function Objects({ kind, namespace }: { kind: Kind; namespace: string }) {
  const rights = useKnownRights(namespace)
  const mayList = rights?.allow('list', kind) === true
  const { items, state } = useObjects(mayList ? kind : undefined, { namespace })
  const create =
    rights?.allow('create', kind) === true ? (
      <a className="button" href={newHref(kind, namespace)} aria-label={`Create ${kind.kind}`}>
        Create
      </a>
    ) : null
  if (rights !== undefined && !mayList) return null
  return (
    <Card title={kindTitle(kind)} more={create}>
      {state.name === 'loading' ? <Skeleton lines={2} /> : null}
      {state.name === 'refused' ? <ErrorNote error={state.error} /> : null}
      {state.name === 'live' && items.length === 0 ? <p className="hint">None yet.</p> : null}
      <ul className="stack tight">
        {items.map((object) => (
          <li key={object.metadata.uid} className="buttons">
            <a className="wrap" href={objectHref(kind, object.metadata)}>
              {text(object, 'spec', 'displayName') || object.metadata.name}
            </a>
            <Phase object={object} />
            <span className="hint">
              <Age since={object.metadata.creationTimestamp} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
