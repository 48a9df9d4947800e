import { kindPath, type Kind } from '../api/kinds.ts'
import { listOf, text, type ApiObject } from '../api/objects.ts'
import { useLoaded } from '../parts/loading.ts'
import { useConsole } from '../shell/console.ts'

interface WhomToAskProps {
  /** Project of the requested namespace; empty: none. */
  project: string
  kind: Kind | undefined
}

/** People who can grant a right: the owner and administrators of a project, if the user may see them. */
export function WhomToAsk({ project, kind }: WhomToAskProps) {
  const { client, everywhere } = useConsole()
  const mayRead =
    kind !== undefined && project !== '' && everywhere.allow('get', kind, { name: project })
  const people = useLoaded(
    async (signal) => {
      if (!mayRead) return []
      return namesIn(await client.call<ApiObject>(kindPath(kind, { name: project }), { signal }))
    },
    [project, mayRead],
  )
  const names = people.state === 'ready' ? people.value : []
  return (
    <p>
      Ask{' '}
      {names.length > 0 ? `${names.join(', ')}, who can change the project ${project}, or ` : ''}
      {names.length === 0 && project !== '' ? `an owner of the project ${project}, or ` : ''}
      an administrator of the platform for a role that includes it.
    </p>
  )
}

function namesIn(project: ApiObject): string[] {
  const owners = [text(project, 'spec', 'owner', 'user'), text(project, 'spec', 'owner', 'team')]
  const members = listOf(project, 'spec', 'members')
    .filter((each) => /admin|owner/.test(text(each, 'clusterRole')))
    .map((each) => text(each, 'name'))
  return [...new Set([...owners, ...members])].filter((name) => name !== '')
}
