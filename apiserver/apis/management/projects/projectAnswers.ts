import type { Schema } from '../../../meta/schema.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { AnswerRequest } from '../../../registry/answers.ts'
import type { AnsweredSubresource } from '../../../registry/resource.ts'
import { listOf, struct, string } from '../../schema.ts'
import { allObjects } from '../../storeReads.ts'
import { entityInfoSchema, entityNamed } from '../users/entityInfo.ts'
import { answeredKind, answerObject, managementResource, opaque } from '../managementKind.ts'
import type { Platform } from '../platform.ts'

interface ProjectSpec {
  allowedClusters?: { name?: string }[]
  allowedTemplates?: { kind?: string; name?: string; isDefault?: boolean }[]
  members?: { kind?: string; name?: string }[]
}

interface Answer {
  name: string
  kind: string
  description: string
  fields: Record<string, Schema>
  read: (project: ProjectSpec, platform: Platform) => Promise<Record<string, unknown>>
}

/** Subresources of a project for clients. Source: platform facts 3.2, 3.3. */
export function projectAnswers(platform: Platform): AnsweredSubresource[] {
  return answers.map(({ name, kind, description, fields, read }) => {
    const get = async (request: AnswerRequest): Promise<ApiObject> => {
      const project = platform.access.store(managementResource(platform.names, 'projects'))
      const object = await project.durable({ namespace: '', name: request.name })
      // Guaranteed by the schema of projects.
      const spec = object['spec'] as ProjectSpec | undefined
      const found = await read(spec ?? {}, platform)
      return answerObject(platform.names, kind, { metadata: { name: request.name }, ...found })
    }
    const shape = { names: platform.names, kind, plural: 'projects', description, fields }
    return { name, verbs: ['get'], resource: answeredKind(shape, ['get'], { get }) }
  })
}

const answers: readonly Answer[] = [
  {
    name: 'clusters',
    kind: 'ProjectClusters',
    description: 'ProjectClusters are the connected clusters that a project may use.',
    fields: { clusters: listOf(opaque('A connected cluster.'), 'The clusters.') },
    read: async ({ allowedClusters = [] }, platform) => {
      const clusters = await allOf(platform, 'clusters')
      return { clusters: clusters.filter(isNamedIn(allowedClusters)) }
    },
  },
  {
    name: 'templates',
    kind: 'ProjectTemplates',
    description: 'ProjectTemplates are the templates that a project may use.',
    fields: {
      defaultVirtualClusterTemplate: string('Default template of virtual clusters.'),
      virtualClusterTemplates: listOf(opaque('A template.'), 'Templates of virtual clusters.'),
      defaultSpaceTemplate: string('Default template of spaces.'),
      spaceTemplates: listOf(opaque('A template.'), 'Templates of spaces.'),
    },
    read: async ({ allowedTemplates = [] }, platform) => ({
      ...(await templates(allowedTemplates, platform, 'VirtualClusterTemplate')),
      ...(await templates(allowedTemplates, platform, 'SpaceTemplate')),
    }),
  },
  {
    name: 'members',
    kind: 'ProjectMembers',
    description: 'ProjectMembers are the users and teams of a project.',
    fields: { teams: membersSchema('teams'), users: membersSchema('users') },
    read: async ({ members = [] }, platform) => ({
      teams: membersOf(members, platform, 'Team'),
      users: membersOf(members, platform, 'User'),
    }),
  },
]

function membersSchema(which: string): Schema {
  const info = entityInfoSchema('The user or team.')
  return listOf(struct({ info }, 'A member of the project.'), `The ${which}.`)
}

function membersOf(
  members: readonly { kind?: string; name?: string }[],
  platform: Platform,
  kind: 'User' | 'Team',
) {
  const resource = kind === 'User' ? 'users' : 'teams'
  return members
    .filter((member) => member.kind === kind && member.name !== undefined)
    .map(({ name = '' }) => ({ info: entityNamed(platform, resource, name) }))
}

async function templates(
  allowed: NonNullable<ProjectSpec['allowedTemplates']>,
  platform: Platform,
  kind: 'VirtualClusterTemplate' | 'SpaceTemplate',
): Promise<Record<string, unknown>> {
  const ofKind = allowed.filter((template) => template.kind === kind)
  const found = (await allOf(platform, `${kind.toLowerCase()}s`)).filter(isNamedIn(ofKind))
  const byDefault = ofKind.find(({ isDefault }) => isDefault === true)?.name
  const exists = found.some(({ metadata }) => metadata.name === byDefault)
  const field = kind === 'SpaceTemplate' ? 'spaceTemplates' : 'virtualClusterTemplates'
  return {
    ...(exists ? { [`default${kind}`]: byDefault } : {}),
    ...(found.length === 0 ? {} : { [field]: found }),
  }
}

function allOf({ names, access }: Platform, resource: string): Promise<ApiObject[]> {
  return allObjects(access.store(managementResource(names, resource)))
}

function isNamedIn(allowed: readonly { name?: string }[]) {
  const wanted = new Set(allowed.map(({ name }) => name))
  return ({ metadata }: ApiObject): boolean => wanted.has('*') || wanted.has(metadata.name)
}
