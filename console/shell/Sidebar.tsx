import { useMemo } from 'react'
import { isPlatformKind, kindId, platformKind, type Kind } from '../api/kinds.ts'
import { Icon, type IconName } from '../parts/Icon.tsx'
import { auditKind } from '../api/audit.ts'
import { useConsole } from './console.ts'
import { useFavourites } from './favourites.ts'
import { bySection, kindTitle } from './kindGroups.ts'
import { NavBarButtons } from './NavBarButtons.tsx'
import { useListable } from './rights.ts'
import { href, kindHref, parseRoute, useHash } from './route.ts'

interface Entry {
  text: string
  icon: IconName
  to: string
  /** True if the page explains the server rather than listing its objects. */
  isTool?: boolean
}

/** Menu of the pages that the user may see. */
export function Sidebar({ isOpen }: { isOpen: boolean }) {
  const hash = useHash()
  const listable = useListable()
  const favourites = useFavourites()
  const pages = usePages(listable)
  const sections = useMemo(() => {
    const own = new Set(pages.map(({ to }) => to))
    return bySection(listable.filter((kind) => !own.has(kindHref(kind)) && !hasPage(kind)))
  }, [listable, pages.length])
  const current = (to: string) => (isAt(hash, to) ? ('page' as const) : undefined)
  return (
    <nav className="sidebar" aria-label="Pages" data-open={isOpen || undefined}>
      <NavBarButtons position="TopStart" />
      <PageLinks entries={pages.filter(({ isTool }) => isTool !== true)} current={current} />
      <NavBarButtons position="TopEnd" />
      <KindLinks
        title="Favourites"
        kinds={listable.filter((kind) => favourites.has(kindId(kind)))}
        current={current}
      />
      {sections.length === 0 ? null : <h2>Resources</h2>}
      {sections.map(([title, kinds]) => (
        <details key={title} open={kinds.some((kind) => isAt(hash, kindHref(kind))) || undefined}>
          <summary>{title}</summary>
          <Links kinds={kinds} current={current} />
        </details>
      ))}
      <h2>Tools</h2>
      <NavBarButtons position="BottomStart" />
      <PageLinks entries={pages.filter(({ isTool }) => isTool === true)} current={current} />
      <NavBarButtons position="BottomEnd" />
    </nav>
  )
}

interface PageLinksProps {
  entries: readonly Entry[]
  current: (to: string) => 'page' | undefined
}

function PageLinks({ entries, current }: PageLinksProps) {
  return (
    <ul>
      {entries.map(({ text, icon, to }) => (
        <li key={to}>
          <a href={to} aria-current={current(to)}>
            <Icon name={icon} /> {text}
          </a>
        </li>
      ))}
    </ul>
  )
}

/** Reports whether a kind has a page other than a table. */
function hasPage(kind: Kind): boolean {
  return isPlatformKind(kind) && ['projects', 'configs'].includes(kind.plural)
}

interface LinksProps {
  kinds: readonly Kind[]
  current: (to: string) => 'page' | undefined
}

function KindLinks({ title, kinds, current }: LinksProps & { title: string }) {
  if (kinds.length === 0) return null
  return (
    <>
      <h2>{title}</h2>
      <Links kinds={kinds} current={current} />
    </>
  )
}

function Links({ kinds, current }: LinksProps) {
  return (
    <ul>
      {kinds.map((kind) => (
        <li key={kindId(kind)}>
          <a href={kindHref(kind)} aria-current={current(kindHref(kind))}>
            {kindTitle(kind)}
          </a>
        </li>
      ))}
    </ul>
  )
}

/** Reports whether the address is this page or one below it. */
function isAt(hash: string, to: string): boolean {
  const [here, there] = [hash, to].map((address) => {
    const { plane, parts } = parseRoute(address)
    const place = parts[0] === 'o' || parts[0] === 'new' ? ['k', ...parts.slice(1, 4)] : parts
    return [plane, ...place].join('/')
  })
  return here === there
}

/** Pages besides the tables that the server serves and the user may use. */
export function usePages(listable: readonly Kind[]): Entry[] {
  const { kinds, everywhere, plane, me } = useConsole()
  const config = platformKind(kinds, 'configs')
  const listed = (plural: string) => platformKind(listable, plural)
  const table = (plural: string, text: string, icon: IconName): Entry[] => {
    const kind = listed(plural)
    return kind === undefined ? [] : [{ text, icon, to: kindHref(kind) }]
  }
  const page = (isThere: boolean, entry: Entry) => (isThere ? [entry] : [])
  const hasKeys = platformKind(kinds, 'ownedaccesskeys') !== undefined && me.name !== ''
  const sync = platformKind(kinds, 'virtualclustersyncexplanations')
  const maySync = sync !== undefined && everywhere.allow('create', sync)
  const mayConfigure = config !== undefined && everywhere.allow('list', config)
  return [
    { text: 'Overview', icon: 'home', to: href([]) },
    ...page(plane !== '', { text: 'Back to the platform', icon: 'up', to: href([], {}, '') }),
    ...page(listed('projects') !== undefined, {
      text: 'Projects',
      icon: 'project',
      to: href(['projects']),
    }),
    ...page(hasKeys, { text: 'Access keys', icon: 'key', to: href(['keys']) }),
    ...table('users', 'Users', 'people'),
    ...table('teams', 'Teams', 'people'),
    ...table('sharedsecrets', 'Shared secrets', 'lock'),
    ...table('virtualclusterinstances', 'Virtual clusters', 'cluster'),
    ...table('spaceinstances', 'Spaces', 'box'),
    ...page(mayConfigure, { text: 'Configuration', icon: 'gear', to: href(['config']) }),
    ...page(mayConfigure, { text: 'Apps', icon: 'app', to: href(['apps']) }),
    ...page(everywhere.allow('list', auditKind) && plane === '', {
      text: 'Audit log',
      icon: 'list',
      to: href(['audit']),
      isTool: true,
    }),
    ...page(maySync, { text: 'Sync playground', icon: 'swap', to: href(['sync']), isTool: true }),
    ...page(everywhere.allowPath('get', '/metrics'), {
      text: 'Metrics',
      icon: 'chart',
      to: href(['metrics']),
      isTool: true,
    }),
    { text: 'Who may do what', icon: 'shield', to: href(['access']), isTool: true },
    { text: 'Catalogue of kinds', icon: 'kinds', to: href(['catalogue']), isTool: true },
    { text: 'API explorer', icon: 'book', to: href(['docs']), isTool: true },
  ]
}
