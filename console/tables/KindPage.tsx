import { useMemo, useState } from 'react'
import { kindId, type Kind } from '../api/kinds.ts'
import { Icon } from '../parts/Icon.tsx'
import { LiveState } from '../parts/LiveState.tsx'
import { ErrorNote, Missing } from '../parts/notes.tsx'
import { useConsole } from '../shell/console.ts'
import { toggleFavourite, useFavourites } from '../shell/favourites.ts'
import { useFeed } from '../shell/feeds.ts'
import { useKeys } from '../shell/keys.ts'
import { kindTitle } from '../shell/kindGroups.ts'
import { useKnownRights } from '../shell/rights.ts'
import { accessHref, goTo, newHref, parseRoute, replaceQuery, useHash } from '../shell/route.ts'
import { tableShape, type Row } from '../watch/shapes.ts'
import { ColumnChooser, useColumnChoice } from './ColumnChooser.tsx'
import { RowOrder, shownColumns } from './columns.ts'
import { filterQuery, matches, parseFilter } from './filters.ts'
import { LiveTable } from './LiveTable.tsx'
import { Selected } from './Selected.tsx'
import { Search } from './TableTools.tsx'

/** Table of a kind in the chosen namespace. */
export function KindPage({ kind }: { kind: Kind }) {
  const { namespace } = useConsole()
  const chosen = kind.namespaced ? namespace : ''
  const rights = useKnownRights(chosen)
  return (
    <main className="content filled">
      <Head kind={kind} mayCreate={rights?.allow('create', kind) === true} namespace={chosen} />
      {rights?.allow('list', kind) === true ? (
        <Body
          kind={kind}
          namespace={chosen}
          mayDelete={kind.verbs.has('delete') && rights.allow('delete', kind)}
          mayPatch={kind.verbs.has('patch') && rights.allow('patch', kind)}
        />
      ) : null}
      {rights?.allow('list', kind) === false ? <NoRight kind={kind} namespace={chosen} /> : null}
    </main>
  )
}

function NoRight({ kind, namespace }: { kind: Kind; namespace: string }) {
  const where = !kind.namespaced
    ? ''
    : namespace === ''
      ? ' in all namespaces; choose one that you have a role in'
      : ` in the namespace ${namespace}`
  const why = accessHref('list', kind, { namespace })
  return <Missing what={`list ${kindTitle(kind).toLowerCase()}${where}`} why={why} />
}

interface HeadProps {
  kind: Kind
  mayCreate: boolean
  namespace: string
}

function Head({ kind, mayCreate, namespace }: HeadProps) {
  const isFavourite = useFavourites().has(kindId(kind))
  const canCreate = mayCreate && kind.verbs.has('create')
  useKeys(canCreate ? { n: () => goTo(newHref(kind, namespace)) } : {})
  return (
    <div className="page-head">
      <div>
        <h1>{kindTitle(kind)}</h1>
        <p className="crumbs">
          <span>{kindId(kind)}</span>
        </p>
      </div>
      <div className="buttons">
        <button
          type="button"
          className="button quiet"
          aria-pressed={isFavourite}
          onClick={() => toggleFavourite(kindId(kind))}
        >
          <Icon name="star" filled={isFavourite} /> Favourite
        </button>
        {canCreate ? (
          <a className="button main" href={newHref(kind, namespace)}>
            <Icon name="add" /> Create
          </a>
        ) : null}
      </div>
    </div>
  )
}

interface BodyProps {
  kind: Kind
  namespace: string
  mayDelete: boolean
  mayPatch: boolean
}

function Body({ kind, namespace, mayDelete, mayPatch }: BodyProps) {
  const { query } = parseRoute(useHash())
  const search = query.get('q') ?? ''
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set())
  const filter = useMemo(() => parseFilter(search), [search])
  const view = useFeed({ shape: tableShape, kind, namespace, query: filterQuery(filter) })
  const { feed, version, state } = view
  const everyColumn = useMemo(
    () => shownColumns(feed?.columns ?? [], kind.namespaced && namespace === ''),
    [feed?.columns, kind, namespace],
  )
  const choice = useColumnChoice(kind, everyColumn)
  const columns = choice.shown
  const [rowOrder] = useState(() => new RowOrder())
  const [order, setOrder] = useState({ column: '', isDescending: false })
  const [isHeld, setHeld] = useState(false)
  const rows = useMemo(() => {
    const found: Row[] = []
    for (const row of feed?.items.values() ?? []) if (matches(row, filter.words)) found.push(row)
    const column = columns.find(({ name }) => name === order.column) ?? columns[0]
    return rowOrder.sorted(found, column, { isDescending: order.isDescending, isHeld })
    // The version represents the items.
  }, [feed, version, filter, columns, order, isHeld])
  const all = feed?.items
  if (state.name === 'refused') return <ErrorNote error={state.error} />
  return (
    <>
      <div className="tools">
        <Search rows={all} value={search} onChange={(text) => replaceQuery({ q: text })} />
        <Count shown={rows.length} all={all?.size ?? 0} isLoading={state.name === 'loading'} />
        <LiveState state={state} onRetry={() => feed?.retryNow()} />
        <ColumnChooser all={everyColumn} {...choice} />
      </div>
      <Selected
        {...{ kind, picked, mayDelete, mayPatch }}
        items={all}
        onDone={() => setPicked(new Set())}
      />
      <LiveTable
        {...{ kind, columns, rows, order, picked }}
        isLoading={state.name === 'loading' && rows.length === 0}
        isFiltered={search !== ''}
        onOrder={setOrder}
        onHold={setHeld}
        onPick={mayDelete || mayPatch ? setPicked : undefined}
      />
    </>
  )
}

interface CountProps {
  shown: number
  all: number
  isLoading: boolean
}

function Count({ shown, all, isLoading }: CountProps) {
  const whole = all.toLocaleString('en')
  const text = shown === all ? `${whole} in all` : `${shown.toLocaleString('en')} of ${whole}`
  return (
    <span className="count numbers" role="status">
      {isLoading ? `${whole} so far …` : text}
    </span>
  )
}
