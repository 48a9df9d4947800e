import { kindPath, platformKind, type Kind } from '../api/kinds.ts'
import { listOf, text, type ApiObject } from '../api/objects.ts'
import { CopyField } from '../parts/CopyField.tsx'
import { useLoaded } from '../parts/loading.ts'
import { Empty, ErrorNote, Missing, Skeleton } from '../parts/notes.tsx'
import { useConsole } from '../shell/console.ts'
import { isSafeLink } from '../shell/LegalText.tsx'
import { href } from '../shell/route.ts'

/** Predefined apps in the configuration. */
export default function Apps() {
  const { kinds, everywhere } = useConsole()
  const kind = platformKind(kinds, 'configs')
  const mayRead = kind !== undefined && everywhere.allow('list', kind)
  return (
    <main className="content">
      <div className="page-head">
        <div>
          <h1>Apps</h1>
          <p className="crumbs">
            <span>Charts that the configuration of the platform offers to its users.</span>
          </p>
        </div>
      </div>
      {mayRead ? <AppList kind={kind} /> : <Missing what="read the platform’s configuration" />}
    </main>
  )
}

function AppList({ kind }: { kind: Kind }) {
  const { client } = useConsole()
  const apps = useLoaded(
    async (signal) => {
      const { items = [] } = await client.call<{ items?: ApiObject[] }>(kindPath(kind), { signal })
      return listOf(items[0], 'status', 'apps', 'predefinedApps')
    },
    [kind.version],
  )
  if (apps.state === 'loading') return <Skeleton />
  if (apps.state === 'failed') return <ErrorNote error={apps.error} onRetry={apps.reload} />
  if (apps.value.length === 0)
    return (
      <Empty title="No apps are offered yet">
        <p>
          List charts in <code>apps.predefinedApps</code> of the configuration.
        </p>
        <a className="button" href={href(['config'])}>
          Go to the configuration
        </a>
      </Empty>
    )
  return (
    <div className="tiles wide">
      {apps.value.map((app) => (
        <App key={`${text(app, 'title')} ${text(app, 'chart')}`} app={app} />
      ))}
    </div>
  )
}

function App({ app }: { app: unknown }) {
  const chart = text(app, 'chart')
  const title = text(app, 'title') || chart
  const version = text(app, 'initialVersion')
  const values = text(app, 'initialValues')
  const readme = text(app, 'readmeUrl')
  const clusters = listOf(app, 'clusters').map(String)
  return (
    <section className="card">
      <header>
        <h2>{title}</h2>
        {readme !== '' && isSafeLink(readme) ? (
          <a
            className="button"
            href={readme}
            target="_blank"
            rel="noopener noreferrer"
            referrerPolicy="no-referrer"
            aria-label={`Readme of ${title}`}
          >
            Readme
          </a>
        ) : null}
      </header>
      <div className="inside stack">
        <dl className="facts">
          <dt>Chart</dt>
          <dd className="mono">{chart}</dd>
          <dt>Version</dt>
          <dd className="mono">{version === '' ? 'Newest' : version}</dd>
          <dt>Clusters</dt>
          <dd>{clusters.length === 0 ? 'All' : clusters.join(', ')}</dd>
        </dl>
        <CopyField label="Install it with Helm" value={command({ title, chart, version })} />
        {values === '' ? null : (
          <details>
            <summary>Values</summary>
            <pre className="outline">{values}</pre>
          </details>
        )}
      </div>
    </section>
  )
}

interface Release {
  title: string
  chart: string
  version: string
}

/** Shell command; values from the configuration are quoted, so that a copied line runs nothing else. */
function command({ title, chart, version }: Release): string {
  const name = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 53)
  const quoted = (word: string) =>
    /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
  const versioned = version === '' ? [] : ['--version', quoted(version)]
  return ['helm', 'install', name || 'app', quoted(chart), ...versioned].join(' ')
}
