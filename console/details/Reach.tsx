import type { ReactNode } from 'react'
import { kindPath, platformKind, type Kind, type Place } from '../api/kinds.ts'
import { listOf, text } from '../api/objects.ts'
import { useLoaded } from '../parts/loading.ts'
import { ErrorNote, Skeleton } from '../parts/notes.tsx'
import { useConsole } from '../shell/console.ts'
import { href, objectHref } from '../shell/route.ts'

interface ReachProps {
  kind: Kind
  place: Place
}

/** Projects, teams, roles and single objects that a user or a team can reach. */
export function Reach({ kind, place }: ReachProps) {
  const { client, everywhere, kinds } = useConsole()
  const { name = '' } = place
  const may = (subresource: string) => everywhere.allow('get', kind, { name, subresource })
  const isAllowed = may('permissions') && may('object-permissions')
  const reach = useLoaded(
    async (signal) => {
      if (!isAllowed) return undefined
      const read = (subresource: string) =>
        client.call<object>(kindPath(kind, { name, subresource }), { signal })
      const [whole, single] = await Promise.all([read('permissions'), read('object-permissions')])
      return { ...whole, ...single }
    },
    [kind.plural, name, isAllowed],
  )
  if (!isAllowed) return null
  if (reach.state === 'loading') return <Skeleton lines={2} />
  if (reach.state === 'failed') return <ErrorNote error={reach.error} onRetry={reach.reload} />
  const found = reach.value
  const objects = listOf(found, 'objectPermissions')
  const teams = platformKind(kinds, 'teams')
  return (
    <section className="card">
      <header>
        <h2>Can reach</h2>
      </header>
      <dl className="inside facts">
        <Links
          title="Projects"
          items={listOf(found, 'projectMemberships')}
          to={(each) => href(['projects', each])}
        />
        <Links
          title="Teams"
          items={listOf(found, 'teamMemberships')}
          to={(each) => (teams === undefined ? '' : objectHref(teams, { name: each }))}
        />
        <Links title="Roles" items={listOf(found, 'clusterRoles')} to={roleHref(kinds)} />
        <Links title="Clusters" items={listOf(found, 'clusterAccess')} to={() => ''} />
        <dt>Single objects</dt>
        <dd className="stack tight">
          {objects.length === 0 ? 'None' : null}
          {objects.slice(0, 50).map((each) => (
            <span
              key={`${text(each, 'resource')} ${text(each, 'namespace')} ${text(each, 'name')} ${listOf(each, 'verbs').join()}`}
            >
              {text(each, 'displayName') || text(each, 'name')}{' '}
              <span className="hint">
                {text(each, 'resource')}: {listOf(each, 'verbs').join(', ')}
              </span>
            </span>
          ))}
          {objects.length > 50 ? (
            <span className="hint">and {objects.length - 50} more</span>
          ) : null}
        </dd>
      </dl>
    </section>
  )
}

function roleHref(kinds: readonly Kind[]): (name: string) => string {
  const roles = kinds.find(
    ({ group, plural }) => group === 'rbac.authorization.k8s.io' && plural === 'clusterroles',
  )
  return (name) => (roles === undefined ? '' : objectHref(roles, { name }))
}

interface LinksProps {
  title: string
  items: readonly unknown[]
  to: (name: string) => string
}

function Links({ title, items, to }: LinksProps): ReactNode {
  return (
    <>
      <dt>{title}</dt>
      <dd className="chips links">
        {items.length === 0 ? 'None' : null}
        {items.map((item) => {
          const name = text(item, 'name')
          const words = text(item, 'displayName') || name
          const address = to(name)
          return address === '' ? (
            <span key={name}>{words}</span>
          ) : (
            <a key={name} href={address}>
              {words}
            </a>
          )
        })}
      </dd>
    </>
  )
}
