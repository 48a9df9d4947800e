import { platformKind } from '../api/kinds.ts'
import { mapOf, text, type ApiObject } from '../api/objects.ts'
import { partOf, quantitiesIn, QuotaBars, type Quantities } from '../parts/QuotaBars.tsx'
import { useObjects } from '../shell/feeds.ts'
import { useListable } from '../shell/rights.ts'
import { href, objectHref } from '../shell/route.ts'

interface Quota {
  title: string
  to: string
  limits: Quantities
  used: Quantities
}

const shown = 12

/** The fullest quotas of projects and namespaces, live. */
export function Quotas() {
  const listable = useListable()
  const projects = platformKind(listable, 'projects')
  const resourceQuotas = listable.find(
    ({ group, plural }) => group === '' && plural === 'resourcequotas',
  )
  const ofProjects = useObjects(projects).items.map(projectQuota)
  const ofNamespaces = useObjects(resourceQuotas).items.map((object) => ({
    title: `${object.metadata.namespace ?? ''}/${object.metadata.name}`,
    to: resourceQuotas === undefined ? '' : objectHref(resourceQuotas, object.metadata),
    limits: quantitiesIn(mapOf(object, 'spec', 'hard')),
    used: quantitiesIn(mapOf(object, 'status', 'used')),
  }))
  const quotas = [...ofProjects, ...ofNamespaces]
    .filter(({ limits }) => Object.keys(limits).length > 0)
    .sort((a, b) => fullness(b) - fullness(a))
  if (quotas.length === 0) return null
  return (
    <section className="stack tight" aria-label="Quotas">
      <h2>Quotas</h2>
      <div className="tiles">
        {quotas.slice(0, shown).map(({ title, to, limits, used }) => (
          <section key={to} className="card">
            <header>
              <h3>
                <a href={to}>{title}</a>
              </h3>
            </header>
            <div className="inside">
              <QuotaBars limits={limits} used={used} />
            </div>
          </section>
        ))}
      </div>
      {quotas.length > shown ? (
        <p className="hint">
          The {shown} fullest of {quotas.length} are shown.
        </p>
      ) : null}
    </section>
  )
}

function projectQuota(project: ApiObject): Quota {
  const { name } = project.metadata
  return {
    title: `Project ${text(project, 'spec', 'displayName') || name}`,
    to: href(['projects', name]),
    limits: quantitiesIn(mapOf(project, 'spec', 'quotas', 'project')),
    used: quantitiesIn(mapOf(project, 'status', 'quotas', 'project', 'used')),
  }
}

/** Highest used fraction of any limit. */
function fullness({ limits, used }: Quota): number {
  const parts = Object.entries(limits).map(([key, limit]) => partOf(used[key] ?? 0, limit))
  return Math.max(0, ...parts)
}
