import { Tab, TabList, TabPanel, TabProvider } from '@ariakit/react'
import { lazy, Suspense, type ReactNode } from 'react'
import type { Kind, Place } from '../api/kinds.ts'
import type { ApiObject } from '../api/objects.ts'
import { Badge, ErrorNote, Missing, Note, Skeleton } from '../parts/notes.tsx'
import { useObject } from '../shell/feeds.ts'
import { useKeys } from '../shell/keys.ts'
import { kindTitle } from '../shell/kindGroups.ts'
import { useKnownRights } from '../shell/rights.ts'
import { accessHref, kindHref, parseRoute, replaceQuery, useHash } from '../shell/route.ts'
import type { Rights } from '../api/rights.ts'
import { Actions } from './Actions.tsx'
import { Events } from './Events.tsx'
import { FieldOwners } from './FieldOwners.tsx'
import { Related } from './Related.tsx'
import { Summary } from './Summary.tsx'

// The editor is the largest part of the console.
const EditTab = lazy(() => import('./EditTab.tsx').then(({ EditTab: each }) => ({ default: each })))
const History = lazy(() => import('./History.tsx'))

interface ObjectPageProps {
  kind: Kind
  place: Place
}

/** Live page of an object: summary, events, related objects and YAML. */
export default function ObjectPage({ kind, place }: ObjectPageProps) {
  const rights = useKnownRights(place.namespace ?? '')
  const { name = '' } = place
  return (
    <main className="content">
      {rights === undefined ? <Skeleton /> : null}
      {rights?.allow('get', kind, { name }) === false ? (
        <>
          <Title kind={kind} place={place} />
          <Missing what={`read the ${kind.kind} “${name}”`} why={accessHref('get', kind, place)} />
        </>
      ) : null}
      {rights?.allow('get', kind, { name }) === true ? (
        <Readable {...{ kind, place, rights }} />
      ) : null}
    </main>
  )
}

function Readable({ kind, place, rights }: ObjectPageProps & { rights: Rights }) {
  const view = useObject(kind, place)
  if (view.state === 'loading') return <Skeleton />
  if (view.state === 'failed')
    return (
      <>
        <Title kind={kind} place={place} />
        <ErrorNote error={view.error} />
      </>
    )
  const { object } = view
  return (
    <>
      <Title kind={kind} place={place} object={object}>
        {view.state === 'found' ? <Actions {...{ kind, place, object, rights }} /> : null}
      </Title>
      {view.state === 'deleted' ? (
        <Note tone="warn" isAlert>
          This object has been deleted. The page shows how it was last seen.
        </Note>
      ) : null}
      {view.state === 'found' && view.isStale ? (
        <Note tone="warn">The connection is interrupted; this may not be up to date.</Note>
      ) : null}
      <Parts {...{ kind, place, object, rights }} isDeleted={view.state === 'deleted'} />
    </>
  )
}

interface TitleProps extends ObjectPageProps {
  object?: ApiObject
  children?: ReactNode
}

function Title({ kind, place, object, children }: TitleProps) {
  return (
    <div className="page-head">
      <div>
        <p className="crumbs">
          <a href={kindHref(kind)}>{kindTitle(kind)}</a>
          {place.namespace === undefined ? null : <span>in {place.namespace}</span>}
        </p>
        <h1>{place.name}</h1>
        {object?.metadata.deletionTimestamp === undefined ? null : (
          <Badge tone="warn">Being deleted</Badge>
        )}
      </div>
      {children}
    </div>
  )
}

const tabs = [
  ['summary', 'Summary'],
  ['events', 'Events'],
  ['related', 'Related'],
  ['yaml', 'YAML'],
  ['history', 'History'],
] as const

interface PartsProps extends ObjectPageProps {
  object: ApiObject
  rights: Rights
  isDeleted: boolean
}

function Parts({ kind, place, object, rights, isDeleted }: PartsProps) {
  const chosen = parseRoute(useHash()).query.get('tab') ?? 'summary'
  const isKnown = tabs.some(([id]) => id === chosen)
  useKeys({
    e: () => replaceQuery({ tab: 'yaml' }),
    y: () => replaceQuery({ tab: 'yaml' }),
    s: () => replaceQuery({ tab: '' }),
  })
  const { name = '' } = place
  const panels: Record<(typeof tabs)[number][0], () => ReactNode> = {
    summary: () => <Summary {...{ kind, place, object, rights }} />,
    events: () => <Events object={object} kind={kind} />,
    related: () => <Related {...{ kind, object }} />,
    yaml: () => (
      <div className="stack">
        <EditTab
          {...{ kind, place, object }}
          mayPatch={kind.verbs.has('patch') && rights.allow('patch', kind, { name })}
          mayUpdate={
            !isDeleted && kind.verbs.has('update') && rights.allow('update', kind, { name })
          }
        />
        <FieldOwners object={object} />
      </div>
    ),
    history: () => <History {...{ kind, place, object, rights }} />,
  }
  return (
    <TabProvider
      selectedId={isKnown ? chosen : 'summary'}
      setSelectedId={(id) => replaceQuery({ tab: id === 'summary' ? '' : String(id) })}
    >
      <TabList className="tabs" aria-label="Parts">
        {tabs.map(([id, text]) => (
          <Tab key={id} id={id} className="tab">
            {text}
          </Tab>
        ))}
      </TabList>
      {tabs.map(([id]) => (
        <TabPanel key={id} tabId={id} unmountOnHide focusable={false}>
          <Suspense fallback={<Skeleton />}>{panels[id]()}</Suspense>
        </TabPanel>
      ))}
    </TabProvider>
  )
}
