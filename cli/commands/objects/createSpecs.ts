import { readFile } from 'node:fs/promises'
import type { Call } from '../../base/commandSpec.ts'
import { textAt } from '../../base/apiObject.ts'
import { usageError } from '../../base/cliError.ts'
import type { Flags } from '../../base/flags.ts'
import type { ApiClient } from '../../client/apiClient.ts'
import type { KindWords } from '../../client/kinds.ts'

type Spec = Record<string, unknown>

/** Server, and project of a new instance. */
interface Of {
  client: ApiClient
  project: string | undefined
}

/** Spec of a new object according to flags; fields without a flag are omitted. */
export async function specOf(
  call: Call,
  { one }: KindWords,
  { client, project }: Of,
): Promise<Spec> {
  const { flags } = call
  const common = given({
    displayName: flags.string('displayName'),
    description: flags.string('description'),
    owner: ownerOf(flags),
  })
  return { ...common, ...(await ownSpec(call, one, { client, project })) }
}

async function ownSpec(call: Call, one: string, of: Of): Promise<Spec> {
  const { flags, args } = call
  switch (one) {
    case 'project':
      return projectSpec(flags)
    case 'virtualcluster':
    case 'space':
      return instanceSpec(call, one, of)
    case 'user':
      return given({
        username: flags.string('username') ?? args[0],
        email: flags.string('email'),
        subject: flags.string('subject') ?? args[0],
        groups: nonEmpty(flags.list('group')),
        clusterRoles: nonEmpty(flags.list('clusterRole').map((name) => ({ name }))),
      })
    case 'team':
      return given({
        username: flags.string('username'),
        users: nonEmpty(flags.list('user')),
        groups: nonEmpty(flags.list('group')),
        clusterRoles: nonEmpty(flags.list('clusterRole').map((name) => ({ name }))),
      })
    default:
      return {}
  }
}

function projectSpec(flags: Flags): Spec {
  const member = (kind: string) => (text: string) => {
    const [name, clusterRole] = text.split('=')
    return given({ kind, name, clusterRole })
  }
  const members = [
    ...flags.list('user').map(member('User')),
    ...flags.list('team').map(member('Team')),
  ]
  return given({
    members: nonEmpty(members),
    allowedClusters: nonEmpty(flags.list('cluster').map((name) => ({ name }))),
    allowedTemplates: nonEmpty(
      flags.list('template').map((name) => ({ kind: 'VirtualClusterTemplate', name })),
    ),
  })
}

async function instanceSpec({ flags }: Call, one: string, of: Of): Promise<Spec> {
  const template = flags.string('template') ?? (await defaultTemplate(of, flags, one))
  const values = flags.string('values')
  const text = values === undefined ? undefined : await readFile(values, 'utf8')
  if (text !== undefined && template === undefined && one === 'space')
    throw usageError('a space without a template has no values', 'Name a template with --template.')
  return given({
    templateRef:
      template === undefined
        ? undefined
        : given({ name: template, version: flags.string('templateVersion') }),
    // Without a template, the values belong to the virtual cluster itself.
    template:
      template === undefined && text !== undefined ? { helmRelease: { values: text } } : undefined,
    parameters: template === undefined ? undefined : text,
    clusterRef: nonEmptyObject(
      given({ cluster: flags.string('cluster'), namespace: flags.string('hostNamespace') }),
    ),
  })
}

/** Default template of the project; undefined: none, or not readable by the user. */
async function defaultTemplate(
  { client, project }: Of,
  flags: Flags,
  one: string,
): Promise<string | undefined> {
  if (project === undefined || flags.string('values') !== undefined) return undefined
  const field = one === 'space' ? 'defaultSpaceTemplate' : 'defaultVirtualClusterTemplate'
  const templates = await client
    .getBelow({ plural: 'projects' }, project, 'templates')
    .catch(() => undefined)
  return textAt(templates, field)
}

function ownerOf(flags: Flags): Spec | undefined {
  const owner = flags.string('owner')
  if (owner === undefined) return undefined
  const [kind, name] = owner.includes('/') ? owner.split('/') : ['user', owner]
  if ((kind !== 'user' && kind !== 'team') || !name)
    throw usageError(`invalid owner "${owner}"`, 'Give user/NAME or team/NAME.')
  return { [kind]: name }
}

function given(fields: Spec): Spec {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

function nonEmpty<T>(items: T[]): T[] | undefined {
  return items.length === 0 ? undefined : items
}

function nonEmptyObject(fields: Spec): Spec | undefined {
  return Object.keys(fields).length === 0 ? undefined : fields
}
