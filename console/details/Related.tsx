import type { ReactNode } from 'react'
import { kindPath, referencedKind, type Kind } from '../api/kinds.ts'
import { mapOf, member, text, type ApiObject } from '../api/objects.ts'
import { useLoaded } from '../parts/loading.ts'
import { ErrorNote, Skeleton } from '../parts/notes.tsx'
import { useConsole } from '../shell/console.ts'
import { kindTitle } from '../shell/kindGroups.ts'
import { useListable } from '../shell/rights.ts'
import { kindHref, objectHref } from '../shell/route.ts'
import { tableShape, type ListedMetadata } from '../watch/shapes.ts'

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
        <References object={object} />
      </Card>
    </div>
  )
}

function Card({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="card">
      <header>
        <h2>{title}</h2>
      </header>
      <div className="inside">{children}</div>
    </section>
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

/** Objects whose owner this one is: looked up in every kind of the same namespace that the user may list. */
function Owned({ object: { metadata } }: { object: ApiObject }) {
  const { client } = useConsole()
  const listable = useListable()
  const { uid, namespace = '' } = metadata
  const searched = listable.filter(({ namespaced }) => namespaced || namespace === '')
  const found = useLoaded(
    async (signal) => {
      const lists = await Promise.all(
        searched.map(async (kind) => {
          const path = kindPath(kind, { namespace })
          const { accept } = tableShape
          const body = await client.call(path, { accept, query: { limit: '500' }, signal })
          const rows = tableShape.pageOf(body).items
          return rows
            .map(({ object }) => object.metadata)
            .filter(({ ownerReferences = [] }) => ownerReferences.some((each) => each.uid === uid))
            .map((each) => ({ kind, metadata: each }))
        }),
      )
      return lists.flat()
    },
    [uid, searched.length],
  )
  if (found.state === 'loading') return <Skeleton lines={2} />
  if (found.state === 'failed') return <ErrorNote error={found.error} onRetry={found.reload} />
  return <ObjectLinks found={found.value} />
}

function ObjectLinks({ found }: { found: readonly { kind: Kind; metadata: ListedMetadata }[] }) {
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

const byName: Readonly<Record<string, string>> = {
  configMapRef: 'configmaps',
  configMapKeyRef: 'configmaps',
  configMap: 'configmaps',
  secretRef: 'secrets',
  secretKeyRef: 'secrets',
  secretName: 'secrets',
  serviceAccountName: 'serviceaccounts',
  persistentVolumeClaim: 'persistentvolumeclaims',
  claimName: 'persistentvolumeclaims',
  nodeName: 'nodes',
  storageClassName: 'storageclasses',
  priorityClassName: 'priorityclasses',
  templateRef: 'virtualclustertemplates',
}

/** Objects that fields of well-known names refer to. */
function References({ object }: { object: ApiObject }) {
  const { kinds } = useConsole()
  const found = new Map<string, { kind: Kind; name: string }>()
  visit(object['spec'] ?? {}, (key, value) => {
    const plural = byName[key]
    const name = typeof value === 'string' ? value : text(value, 'name')
    const kind = kinds.find((each) => each.plural === plural)
    if (kind !== undefined && name !== '') found.set(`${kind.plural}/${name}`, { kind, name })
  })
  if (found.size === 0) return nothing
  const { namespace } = object.metadata
  return (
    <ObjectLinks
      found={[...found.values()].map(({ kind, name }) => ({
        kind,
        metadata: {
          name,
          uid: `${kind.plural}/${name}`,
          ...(kind.namespaced && namespace !== undefined ? { namespace } : {}),
        },
      }))}
    />
  )
}

/** Calls back with each member of a value, at any depth. */
function visit(value: unknown, found: (key: string, value: unknown) => void): void {
  if (typeof value !== 'object' || value === null) return
  for (const key of Object.keys(value)) {
    const below = member(value, key)
    if (!Array.isArray(value)) found(key, below)
    visit(below, found)
  }
}
