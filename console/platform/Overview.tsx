import { kindId, platformKind, type Kind } from '../api/kinds.ts'
import { bySection, kindTitle } from '../shell/kindGroups.ts'
import { Empty } from '../parts/notes.tsx'
import { useConsole } from '../shell/console.ts'
import { useFavourites } from '../shell/favourites.ts'
import { useObjects } from '../shell/feeds.ts'
import { useListable } from '../shell/rights.ts'
import { kindHref } from '../shell/route.ts'
import { Phase } from '../details/Summary.tsx'
import { ProjectTile } from './ProjectTile.tsx'
import { useCounts } from './useCounts.ts'

/** Home page: everything the user can reach. */
export default function Overview() {
  const { me, plane, namespace } = useConsole()
  const listable = useListable()
  const favourites = useFavourites()
  const chosen = listable.filter((kind) => favourites.has(kindId(kind)))
  const sections = bySection(listable)
  const counts = useCounts(listable)
  return (
    <main className="content">
      <div className="page-head">
        <div>
          <h1>{plane === '' ? 'Overview' : plane.split('/').slice(-1)[0]}</h1>
          <p className="crumbs">
            <span>
              Signed in as {me.displayName} ·{' '}
              {namespace === '' ? 'All namespaces' : `Namespace ${namespace}`}
            </span>
          </p>
        </div>
      </div>
      <ProjectTiles />
      {chosen.length === 0 ? null : <KindTile title="Favourites" kinds={chosen} counts={counts} />}
      <div className="tiles">
        {sections.map(([title, kinds]) => (
          <KindTile key={title} title={title} kinds={kinds} counts={counts} />
        ))}
      </div>
      {sections.length === 0 ? (
        <Empty title="There is nothing here that you may see">
          <p>
            Your account has no role yet. Ask an administrator of the platform, or an owner of a
            project, to add you.
          </p>
        </Empty>
      ) : null}
    </main>
  )
}

type Listable = ReturnType<typeof useListable>

interface KindTileProps {
  title: string
  kinds: Listable
  counts: ReadonlyMap<string, number>
}

function KindTile({ title, kinds, counts }: KindTileProps) {
  return (
    <section className="card">
      <header>
        <h2>{title}</h2>
      </header>
      <ul className="inside kind-counts">
        {kinds.map((kind) => (
          <KindCount key={kindId(kind)} kind={kind} count={counts.get(kindId(kind))} />
        ))}
      </ul>
    </section>
  )
}

function KindCount({ kind, count }: { kind: Kind; count: number | undefined }) {
  return (
    <li className={count === 0 ? 'none' : undefined}>
      <a href={kindHref(kind)}>{kindTitle(kind)}</a>
      <span className={count === 0 ? 'numbers muted' : 'numbers'}>
        {count?.toLocaleString('en') ?? '–'}
      </span>
    </li>
  )
}

function ProjectTiles() {
  const listable = useListable()
  const kind = platformKind(listable, 'projects')
  const { items } = useObjects(kind)
  if (kind === undefined || items.length === 0) return null
  return (
    <section className="stack tight" aria-label="Projects">
      <h2>Projects</h2>
      <div className="tiles">
        {items.slice(0, 12).map((project) => (
          <ProjectTile key={project.metadata.uid} project={project}>
            <Phase object={project} />
          </ProjectTile>
        ))}
      </div>
    </section>
  )
}
