import { platformKind } from '../api/kinds.ts'
import { listOf } from '../api/objects.ts'
import { Age } from '../parts/Age.tsx'
import { Icon } from '../parts/Icon.tsx'
import { Empty, ErrorNote, Missing, Skeleton } from '../parts/notes.tsx'
import { useConsole } from '../shell/console.ts'
import { useObjects } from '../shell/feeds.ts'
import { useListable } from '../shell/rights.ts'
import { newHref } from '../shell/route.ts'
import { ProjectTile } from './ProjectTile.tsx'

/** Projects of the user as tiles, live. */
export default function Projects() {
  const { everywhere } = useConsole()
  const kind = platformKind(useListable(), 'projects')
  const { items, state } = useObjects(kind)
  if (kind === undefined)
    return (
      <main className="content">
        <h1>Projects</h1>
        <Missing what="list projects" />
      </main>
    )
  return (
    <main className="content">
      <div className="page-head">
        <h1>Projects</h1>
        {everywhere.allow('create', kind) ? (
          <a className="button main" href={newHref(kind)}>
            <Icon name="add" /> Create
          </a>
        ) : null}
      </div>
      {state.name === 'refused' ? <ErrorNote error={state.error} /> : null}
      {state.name === 'loading' ? <Skeleton /> : null}
      {state.name === 'live' && items.length === 0 ? (
        <Empty title="You are in no project yet">
          <p>Ask the owner of a project to add you as a member, or create one.</p>
        </Empty>
      ) : null}
      <div className="tiles">
        {items.map((project) => (
          <ProjectTile key={project.metadata.uid} project={project}>
            <span className="muted numbers">
              {listOf(project, 'spec', 'members').length} members · age{' '}
              <Age since={project.metadata.creationTimestamp} />
            </span>
          </ProjectTile>
        ))}
      </div>
    </main>
  )
}
