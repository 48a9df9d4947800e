import { CliError, exitCodes, usageError } from '../base/cliError.ts'
import { textAt, type ApiObject } from '../base/apiObject.ts'
import type { ApiClient } from '../client/apiClient.ts'
import { isStatus } from '../client/apiError.ts'
import { didYouMean } from '../client/suggestions.ts'
import { askSelf, projectNamespace, type Self } from '../client/self.ts'

export type TargetKind = 'management' | 'project' | 'virtualcluster' | 'space' | 'cluster'

/** API that the platform serves or proxies. */
export interface Target {
  kind: TargetKind
  /** Words that identify the target in the name of a kubeconfig context. */
  words: readonly string[]
  /** Path below the server's URL. */
  path: string
  /** Namespace of the context. */
  namespace?: string | undefined
  /** Project of virtual clusters and spaces. */
  project?: string
  name?: string
  object?: ApiObject
}

export interface TargetQuestion {
  kind: TargetKind
  name: string
  /** Project; undefined: found by the name. */
  project: string | undefined
}

/** Target with a name. @throws CliError notFound, or forbidden if the user may not use it. */
export async function targetOf(client: ApiClient, asked: TargetQuestion): Promise<Target> {
  const { kind, name } = asked
  const { proxySegment } = client.names
  const words = [kind, name]
  switch (kind) {
    case 'management':
      return { kind, words: [kind], path: client.base }
    case 'project': {
      const self = await askSelf(client)
      await named(client, 'projects', name)
      return {
        kind,
        words,
        path: client.base,
        namespace: projectNamespace(self, name),
        project: name,
        name,
      }
    }
    case 'cluster': {
      const object = await named(client, 'clusters', name)
      return { kind, words, path: `/${proxySegment}/cluster/${name}`, name, object }
    }
    case 'virtualcluster':
    case 'space':
      return instanceTarget(client, { ...asked, kind })
  }
}

async function instanceTarget(
  client: ApiClient,
  { kind, name, project: given }: TargetQuestion & { kind: 'virtualcluster' | 'space' },
): Promise<Target> {
  const plural = instancePlurals[kind]
  const self = await askSelf(client)
  const project = given ?? (await projectOf(client, self, plural, name))
  const place = { plural, namespace: projectNamespace(self, project) }
  const object = await client
    .get(place, name, { extended: 'true' })
    .catch(async (error: unknown) => {
      if (!isStatus(error, 404)) throw error
      const hint = await didYouMean(client, place, name)
      throw new CliError(`project ${project} has no ${kindWords[kind]} "${name}"`, {
        code: exitCodes.notFound,
        hint,
      })
    })
  if (object.status?.['canUse'] === false) {
    const hint = 'Ask an administrator of the project for access.'
    throw new CliError(`you may not use ${kindWords[kind]} "${name}"`, {
      code: exitCodes.forbidden,
      hint,
    })
  }
  const path = `/${client.names.proxySegment}/project/${project}/${kind}/${name}`
  const namespace = kind === 'space' ? textAt(object.spec, 'clusterRef', 'namespace') : undefined
  return { kind, words: [kind, project, name], path, namespace, project, name, object }
}

const instancePlurals = {
  virtualcluster: 'virtualclusterinstances',
  space: 'spaceinstances',
} as const
const kindWords = { virtualcluster: 'virtual cluster', space: 'space' } as const

/** Project of an instance, if only one project has that name. */
async function projectOf(
  client: ApiClient,
  self: Self,
  plural: string,
  name: string,
): Promise<string> {
  const { items } = await client.list({ plural })
  const found = items
    .filter(({ metadata }) => metadata.name === name)
    .map(({ metadata }) => (metadata.namespace ?? '').slice(self.projectNamespacePrefix.length))
  const [project, other] = found
  if (other !== undefined)
    throw usageError(
      `"${name}" is in several projects: ${found.join(', ')}`,
      'Name one with --project.',
    )
  if (project !== undefined) return project
  const hint = await didYouMean(client, { plural }, name)
  throw new CliError(`there is no "${name}" in any of your projects`, {
    code: exitCodes.notFound,
    hint,
  })
}

async function named(client: ApiClient, plural: string, name: string): Promise<ApiObject> {
  return client.get({ plural }, name).catch(async (error: unknown) => {
    if (!isStatus(error, 404)) throw error
    const hint = await didYouMean(client, { plural }, name)
    throw new CliError(`there is no ${plural.slice(0, -1)} "${name}"`, {
      code: exitCodes.notFound,
      hint,
    })
  })
}
