import { lazy, Suspense, useEffect, type ReactNode } from 'react'
import type { Kind } from '../api/kinds.ts'
import { Empty, Skeleton } from '../parts/notes.tsx'
import { KindPage } from '../tables/KindPage.tsx'
import { useConsole } from './console.ts'
import { href, parseRoute, useHash } from './route.ts'

// Pages that not every visit needs are loaded on demand.
const ObjectPage = lazy(() => import('../details/ObjectPage.tsx'))
const CreatePage = lazy(() => import('../details/CreatePage.tsx'))
const Projects = lazy(() => import('../platform/Projects.tsx'))
const ProjectBoard = lazy(() => import('../platform/ProjectBoard.tsx'))
const AccessKeys = lazy(() => import('../platform/AccessKeys.tsx'))
const ConfigEditor = lazy(() => import('../platform/ConfigEditor.tsx'))
const AccessPage = lazy(() => import('../understand/AccessPage.tsx'))
const SyncPlayground = lazy(() => import('../understand/SyncPlayground.tsx'))
const AuditPage = lazy(() => import('../understand/AuditPage.tsx'))
const Apps = lazy(() => import('../platform/Apps.tsx'))
const Catalogue = lazy(() => import('../understand/Catalogue.tsx'))
const MetricsPage = lazy(() => import('../understand/MetricsPage.tsx'))
const Components = lazy(() => import('../understand/Components.tsx'))
const Explorer = lazy(() => import('../explorer/Explorer.tsx'))
const Overview = lazy(() => import('../platform/Overview.tsx'))

/** Page of the current address. */
export function Pages() {
  const { parts } = parseRoute(useHash())
  const { kinds } = useConsole()
  const [title, content] = pageOf(parts, kinds)
  useEffect(() => {
    document.title = `${title} – Console`
  }, [title])
  return (
    <Suspense
      fallback={
        <main className="content">
          <Skeleton />
        </main>
      }
    >
      {content}
    </Suspense>
  )
}

function pageOf(parts: readonly string[], kinds: readonly Kind[]): [string, ReactNode] {
  const [page = '', group = '', version = '', plural = '', namespace = '-', name = ''] = parts
  const simple = simplePage(page, group, parts)
  if (simple !== undefined) return simple
  const kind = kinds.find(
    (each) =>
      each.group === (group === 'core' ? '' : group) &&
      each.version === version &&
      each.plural === plural,
  )
  if (kind === undefined) return ['Not found', <NotFound key="none" what={plural} />]
  const key = parts.join('/')
  if (page === 'k') return [kind.kind, <KindPage key={key} kind={kind} />]
  if (page === 'new') return [`Create ${kind.kind}`, <CreatePage key={key} kind={kind} />]
  if (page !== 'o' || name === '') return ['Not found', <NotFound key="none" what="" />]
  const place = { namespace: namespace === '-' ? undefined : namespace, name }
  return [`${name} (${kind.kind})`, <ObjectPage key={key} kind={kind} place={place} />]
}

function simplePage(
  page: string,
  name: string,
  parts: readonly string[],
): [string, ReactNode] | undefined {
  switch (page) {
    case '':
      return ['Overview', <Overview key="overview" />]
    case 'projects':
      return name === ''
        ? ['Projects', <Projects key="projects" />]
        : [name, <ProjectBoard key={name} name={name} />]
    case 'keys':
      return ['Access keys', <AccessKeys key="keys" />]
    case 'config':
      return ['Configuration', <ConfigEditor key="config" />]
    case 'apps':
      return ['Apps', <Apps key="apps" />]
    case 'audit':
      return ['Audit log', <AuditPage key="audit" />]
    case 'access':
      return ['Who may do what', <AccessPage key="access" />]
    case 'sync':
      return ['Sync playground', <SyncPlayground key="sync" />]
    case 'catalogue':
      return ['Catalogue of kinds', <Catalogue key="catalogue" id={parts.slice(1).join('/')} />]
    case 'metrics':
      return ['Metrics', <MetricsPage key="metrics" />]
    case 'components':
      return ['Components', <Components key="components" />]
    case 'docs':
      return ['API explorer', <Explorer key="docs" />]
    default:
      return undefined
  }
}

function NotFound({ what }: { what: string }) {
  return (
    <main className="content">
      <h1>Not found</h1>
      <Empty title="There is no such page">
        <p>
          {what === ''
            ? 'The address may be mistyped.'
            : `This server does not list a kind “${what}”. It may have been removed, or it may belong to another cluster.`}
        </p>
        <a className="button" href={href([])}>
          Go to the overview
        </a>
      </Empty>
    </main>
  )
}
