import { useState } from 'react'
import type { Rights } from '../api/rights.ts'
import { fieldManager } from '../api/fieldManager.ts'
import { kindPath, platformKind, type Kind, type Place } from '../api/kinds.ts'
import { text, type ApiObject } from '../api/objects.ts'
import { Icon } from '../parts/Icon.tsx'
import { errorText } from '../parts/notes.tsx'
import { useSay } from '../parts/toasts.tsx'
import { useConsole } from '../shell/console.ts'
import { useObjects } from '../shell/feeds.ts'
import { kindTitle } from '../shell/kindGroups.ts'
import { useKnownRights } from '../shell/rights.ts'
import { objectHref } from '../shell/route.ts'

interface SecretSyncProps {
  kind: Kind
  place: Place
  object: ApiObject
  rights: Rights
}

/** Source and copies of a secret, and a button to sync it at once. */
export function SecretSync({ kind, place, object, rights }: SecretSyncProps) {
  const { kinds } = useConsole()
  const shared = platformKind(kinds, 'sharedsecrets')
  if (shared === undefined) return null
  const domain = shared.group.slice(shared.group.indexOf('.') + 1)
  const isShared = kind === shared
  const source = sourceOf(object, domain)
  const store = storePlaceOf(object, domain)
  if (!isShared && source === undefined && store === undefined) return null
  const { name = '' } = place
  const maySync = kind.verbs.has('patch') && rights.allow('patch', kind, { name })
  return (
    <section className="card">
      <header>
        <h2>Sync</h2>
        {maySync ? <SyncNow {...{ kind, place, domain }} /> : null}
      </header>
      <dl className="inside facts">
        {source === undefined ? null : (
          <>
            <dt>Copy of</dt>
            <dd>
              <a href={objectHref(shared, source)}>
                {source.namespace}/{source.name}
              </a>
            </dd>
          </>
        )}
        {store === undefined ? null : (
          <>
            <dt>Kept in the secret store at</dt>
            <dd>
              <code>{store}</code>
            </dd>
          </>
        )}
        {isShared ? (
          <>
            <dt>Copied by</dt>
            <dd>
              <Copies place={place} domain={domain} />
            </dd>
          </>
        ) : null}
      </dl>
    </section>
  )
}

function sourceOf({ metadata }: ApiObject, domain: string) {
  const { labels = {}, namespace = '' } = metadata
  const name = labels[`${domain}/sharedsecret-name`] ?? ''
  if (name === '') return undefined
  return { name, namespace: labels[`${domain}/sharedsecret-namespace`] || namespace }
}

/** Mount and path, from annotations with these suffixes: the prefix depends on the store. */
function storePlaceOf({ metadata: { annotations = {} } }: ApiObject, domain: string) {
  const value = (end: string) =>
    Object.entries(annotations).find(
      ([key]) => key.startsWith(`${domain}/`) && key.endsWith(`-kv-${end}`),
    )?.[1] ?? ''
  const [mount, path] = [value('mount-path'), value('secret-path')]
  return mount === '' || path === '' ? undefined : `${mount}/${path}`
}

/** Copies of a shared secret that the user may list. */
function Copies({ place, domain }: { place: Place; domain: string }) {
  const { kinds } = useConsole()
  const takers = [
    platformKind(kinds, 'projectsecrets'),
    kinds.find(({ group, plural }) => group === '' && plural === 'secrets'),
  ]
  return (
    <ul className="stack tight">
      {takers.map((kind) =>
        kind === undefined ? null : <CopiesOf key={kind.plural} {...{ kind, place, domain }} />,
      )}
    </ul>
  )
}

interface CopiesOfProps {
  kind: Kind
  place: Place
  domain: string
}

function CopiesOf({ kind, place, domain }: CopiesOfProps) {
  const mayList = useKnownRights('')?.allow('list', kind) === true
  const { name = '', namespace = '' } = place
  const query = { labelSelector: `${domain}/sharedsecret-name=${name}` }
  const { items, state } = useObjects(mayList ? kind : undefined, { query })
  const title = kindTitle(kind)
  if (!mayList)
    return <li className="hint">{title}: your account may not list them in all namespaces.</li>
  if (state.name !== 'live' && state.name !== 'listed') return null
  const found = items.filter((item) => sourceOf(item, domain)?.namespace === namespace)
  if (found.length === 0) return <li className="hint">{title}: none.</li>
  return found.map((item) => (
    <li key={item.metadata.uid} className="wrap">
      <a href={objectHref(kind, item.metadata)}>
        {kind.kind} {item.metadata.namespace}/{item.metadata.name}
      </a>
    </li>
  ))
}

interface SyncNowProps {
  kind: Kind
  place: Place
  domain: string
}

/** Button that syncs by setting an annotation, since each change of the object triggers a sync. */
function SyncNow({ kind, place, domain }: SyncNowProps) {
  const { client } = useConsole()
  const say = useSay()
  const [isBusy, setBusy] = useState(false)
  const sync = async () => {
    setBusy(true)
    const annotations = { [`${domain}/sync-requested-at`]: new Date().toISOString() }
    try {
      const changed = await client.call<ApiObject>(kindPath(kind, place), {
        method: 'PATCH',
        contentType: 'application/merge-patch+json',
        query: { fieldManager },
        body: { metadata: { annotations } },
      })
      say(`${text(changed, 'metadata', 'name')} is being synced; its conditions say how it went.`)
    } catch (error) {
      say(errorText(error), 'bad')
    } finally {
      setBusy(false)
    }
  }
  return (
    <button type="button" className="button" disabled={isBusy} onClick={() => void sync()}>
      <Icon name="retry" /> Sync now
    </button>
  )
}
