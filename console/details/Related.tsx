import { eachKind } from '../api/eachKind.ts'
import { kindPath, referencedKind, type Kind } from '../api/kinds.ts'
import { mapOf, type ApiObject } from '../api/objects.ts'
import { Card } from '../parts/Card.tsx'
import { useLoaded } from '../parts/loading.ts'
import { ErrorNote, Skeleton } from '../parts/notes.tsx'
import { useConsole } from '../shell/console.ts'
import { wholeObjects } from '../shell/feeds.ts'
import { kindTitle } from '../shell/kindGroups.ts'
import { useListable } from '../shell/rights.ts'
import { kindHref, objectHref } from '../shell/route.ts'
import { tableShape, type ListedMetadata } from '../watch/shapes.ts'
import { referenceKey, referencesOf, type Reference } from './references.ts'

interface RelatedProps {
  kind: Kind
  object: ApiObject
}

/** Owners, owned objects, selected objects and references of an object. */
export function Related({ kind, object }: RelatedProps) {
  return (
    <div className="tiles">
      <Card title="Owned by">
        <Owners object={object} />
      </Card>
      <Card title="Owns">
        <Owned object={object} />
      </Card>
      <Card title="Selects">
        <SelectedPods kind={kind} object={object} />
      </Card>
      <Card title="Refers to">
        <References {...{ kind, object }} />
      </Card>
      <Card title="Referenced by">
        <ReferencedBy {...{ kind, object }} />
      </Card>
    </div>
  )
}

const nothing = <p className="hint">Nothing.</p>

function Owners({ object: { metadata } }: { object: ApiObject }) {
  const { kinds } = useConsole()
  const { ownerReferences = [], namespace } = metadata
  if (ownerReferences.length === 0) return nothing
  return (
    <ul className="stack tight">
      {ownerReferences.map((owner) => {
        const kind = referencedKind(kinds, owner)
        const label = `${owner.kind} ${owner.name}`
        return (
          <li key={owner.uid} className="wrap">
            {kind === undefined ? (
              label
            ) : (
              <a href={objectHref(kind, { namespace, name: owner.name })}>{label}</a>
            )}
            {owner.controller === true ? <span className="muted"> (controller)</span> : null}
          </li>
        )
      })}
    </ul>
  )
}

/** Objects owned by this one, looked up in every kind of the same namespace that the user may list. */
function Owned({ object: { metadata } }: { object: ApiObject }) {
  const { client } = useConsole()
  const listable = useListable()
  const { uid, namespace = '' } = metadata
  const searched = listable.filter(({ namespaced }) => namespaced || namespace === '')
  const found = useLoaded(
    async (signal) => {
      const { results, failed } = await eachKind(searched, signal, async (kind) => {
        const path = kindPath(kind, { namespace })
        const { accept } = tableShape
        const body = await client.call(path, { accept, query: { limit: '500' }, signal })
        const rows = tableShape.pageOf(body).items
        return rows
          .map(({ object }) => object.metadata)
          .filter(({ ownerReferences = [] }) => ownerReferences.some((each) => each.uid === uid))
          .map((each) => ({ kind, metadata: each }))
      })
      return { links: results.flat(), failed }
    },
    [uid, searched.length],
  )
  if (found.state === 'loading') return <Skeleton lines={2} />
  if (found.state === 'failed') return <ErrorNote error={found.error} onRetry={found.reload} />
  return (
    <>
      <ObjectLinks found={found.value.links} />
      <Unsearched kinds={found.value.failed} />
    </>
  )
}

function Unsearched({ kinds }: { kinds: readonly Kind[] }) {
  if (kinds.length === 0) return null
  return (
    <p className="hint">
      Not searched, because their lists failed: {kinds.map(kindTitle).join(', ')}.
    </p>
  )
}

interface Linked {
  kind: Kind
  metadata: ListedMetadata
}

function ObjectLinks({ found }: { found: readonly Linked[] }) {
  if (found.length === 0) return nothing
  return (
    <ul className="stack tight">
      {found.slice(0, 100).map(({ kind, metadata }) => (
        <li key={metadata.uid} className="wrap">
          <a href={objectHref(kind, metadata)}>
            {kind.kind} {metadata.name}
          </a>
        </li>
      ))}
      {found.length > 100 ? <li className="hint">… and {found.length - 100} more</li> : null}
    </ul>
  )
}

function SelectedPods({ kind, object }: RelatedProps) {
  const { kinds } = useConsole()
  const pods = kinds.find(({ group, plural }) => group === '' && plural === 'pods')
  const matchLabels = mapOf(object, 'spec', 'selector', 'matchLabels')
  const plain = kind.plural === 'services' ? mapOf(object, 'spec', 'selector') : {}
  const labels = Object.entries({ ...plain, ...matchLabels })
  if (pods === undefined || labels.length === 0) return nothing
  const query = labels.map(([key, value]) => `${key}=${String(value)}`).join(' ')
  return (
    <p>
      <a href={kindHref(pods, { q: query })}>{kindTitle(pods)} with these labels</a>
      <br />
      <code className="wrap">{query}</code>
    </p>
  )
}

/** Objects that well-known fields refer to. */
function References({ kind, object }: RelatedProps) {
  const { kinds } = useConsole()
  return <ObjectLinks found={referencesOf(kind, object, kinds).map(linked)} />
}

function linked({ kind, namespace, name }: Reference): Linked {
  const place = namespace === undefined ? {} : { namespace }
  return { kind, metadata: { name, uid: `${kind.plural}/${name}`, ...place } }
}

/** Kinds that refer to nothing, and may have many or large objects. */
const silent = new Set(['configmaps', 'events', 'leases', 'controllerrevisions'])
/** Maximum number of objects searched in each kind. */
const maxSearched = 500

/** Objects that refer to this one, looked up in the kinds that the user may list. */
function ReferencedBy({ kind, object: { metadata } }: RelatedProps) {
  const { client, kinds } = useConsole()
  const listable = useListable()
  const { name, namespace = '' } = metadata
  // Objects of other namespaces may refer only to cluster-scoped objects or to shared secrets.
  const isWide = !kind.namespaced || kind.plural === 'sharedsecrets'
  const searched = listable.filter(
    ({ namespaced, plural }) => (namespaced || isWide) && !silent.has(plural),
  )
  const found = useLoaded(
    async (signal) => {
      const wanted = referenceKey({ kind, name, ...(kind.namespaced ? { namespace } : {}) })
      let isWhole = true
      const { results, failed } = await eachKind(searched, signal, async (each) => {
        const path = kindPath(each, isWide ? {} : { namespace })
        const query = { limit: String(maxSearched) }
        const page = wholeObjects.pageOf(await client.call(path, { query, signal }))
        isWhole &&= page.continueToken === ''
        return page.items
          .filter((item) =>
            referencesOf(each, item, kinds).some((to) => referenceKey(to) === wanted),
          )
          .map((item) => ({ kind: each, metadata: item.metadata }))
      })
      return { links: results.flat(), failed, isWhole }
    },
    [metadata.uid, searched.length],
  )
  if (found.state === 'loading') return <Skeleton lines={2} />
  if (found.state === 'failed') return <ErrorNote error={found.error} onRetry={found.reload} />
  return (
    <>
      <ObjectLinks found={found.value.links} />
      {found.value.isWhole ? null : (
        <p className="hint">Only the first {maxSearched} objects of each kind were searched.</p>
      )}
      <Unsearched kinds={found.value.failed} />
    </>
  )
}
