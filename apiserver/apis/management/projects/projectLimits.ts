import { isDeepStrictEqual } from 'node:util'
import { goQuote } from '../../../meta/goQuote.ts'
import { managementGroup } from '../../../meta/names/namesProfile.ts'
import { forbidden } from '../../../meta/statusErrors.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { RequestContext, Strategy } from '../../../registry/strategy.ts'
import { objectIfAny } from '../../storeReads.ts'
import { managementResource } from '../managementKind.ts'
import type { Platform } from '../platform.ts'

interface ProjectSpec {
  allowedClusters?: { name?: string }[]
  allowedTemplates?: { kind?: string; name?: string }[]
  requireTemplate?: { disabled?: boolean }
}

interface InstanceSpec {
  clusterRef?: { cluster?: string }
  templateRef?: { name?: string }
  template?: unknown
}

export interface LimitedKind {
  platform: Pick<Platform, 'names' | 'access' | 'projectNamespacePrefix'>
  /** Plural of the instances. */
  plural: string
  /** Kind of their templates. */
  templateKind: string
}

/**
 * Restricts an instance to the clusters and templates that its project allows, and requires a
 * template if the project does. Unchanged fields are not checked. No instance is created in a
 * namespace without a project.
 * Source: platform facts 3.2, 7.1 (`restricted`).
 */
export function withinProject(kind: LimitedKind): NonNullable<Strategy['authorizeWrite']> {
  return async (next, old, context) => {
    const project = projectOf(next, kind.platform)
    if (project === undefined) {
      if (old === undefined) throw outsideProjects(next, kind)
      return
    }
    const before = old && specOf(old)
    const why =
      clusterProblem(specOf(next), before, project) ??
      templateProblem(specOf(next), before, { project, kind }) ??
      (await inlineProblem(next, before, { project, kind, context }))
    if (why === undefined) return
    const resource = managementResource(kind.platform.names, kind.plural)
    throw forbidden(resource, next.metadata.name ?? '', `project ${goQuote(project.name)} ${why}`)
  }
}

function outsideProjects({ metadata }: ApiObject, { platform, plural }: LimitedKind): Error {
  const { name = '', namespace = '' } = metadata
  const why = `namespace ${goQuote(namespace)} is the namespace of no project`
  return forbidden(managementResource(platform.names, plural), name, why)
}

interface Project {
  name: string
  spec: ProjectSpec
}

type Before = InstanceSpec | undefined

function clusterProblem(next: InstanceSpec, old: Before, { spec }: Project): string | undefined {
  const cluster = next.clusterRef?.cluster ?? ''
  if (cluster === '' || cluster === old?.clusterRef?.cluster) return undefined
  if (isNamed(spec.allowedClusters, cluster)) return undefined
  return `may not use cluster ${goQuote(cluster)}`
}

function templateOf(spec: Before): string {
  return spec?.templateRef?.name ?? ''
}

function templateProblem(
  next: InstanceSpec,
  old: Before,
  { project: { spec }, kind: { templateKind } }: { project: Project; kind: LimitedKind },
): string | undefined {
  const template = templateOf(next)
  if (template === '' || template === templateOf(old)) return undefined
  const ofKind = spec.allowedTemplates?.filter((one) => one.kind === templateKind)
  return isNamed(ofKind, template) ? undefined : `may not use template ${goQuote(template)}`
}

/**
 * Problem with an instance that has an inline template, which takes precedence over a referenced
 * one, or no template at all.
 */
async function inlineProblem(
  next: ApiObject,
  old: Before,
  { project, kind, context }: { project: Project; kind: LimitedKind; context: RequestContext },
): Promise<string | undefined> {
  const { template } = specOf(next)
  const isNewTemplate = template !== undefined && !isDeepStrictEqual(template, old?.template)
  const isNewWithout =
    templateOf(specOf(next)) === '' && (old === undefined || templateOf(old) !== '')
  if (!isNewTemplate && !isNewWithout) return undefined
  if (project.spec.requireTemplate?.disabled === true) return undefined
  if (await mayDoWithout(next, context, kind)) return undefined
  return isNewWithout
    ? 'requires a template: spec.templateRef names none'
    : 'requires a template: spec.template is one of its own'
}

function projectOf(
  { metadata: { namespace = '' } }: ApiObject,
  platform: LimitedKind['platform'],
): Project | undefined {
  const { names, access } = platform
  const prefix = platform.projectNamespacePrefix()
  if (!namespace.startsWith(prefix)) return undefined
  const name = namespace.slice(prefix.length)
  const store = access.store(managementResource(names, 'projects'))
  const project = objectIfAny(store, { namespace: '', name })
  // Guaranteed by the schema of projects.
  return project && { name, spec: project['spec'] ?? {} }
}

function specOf(instance: ApiObject): InstanceSpec {
  // Guaranteed by the schema of instances.
  return instance['spec'] ?? {}
}

function isNamed(allowed: readonly { name?: string }[] = [], wanted: string): boolean {
  return allowed.some(({ name }) => name === '*' || name === wanted)
}

/**
 * Reports whether the user may create instances without a template: a right granted by roles, not
 * by ownership of the instance.
 */
async function mayDoWithout(
  { metadata: { namespace = '' } }: ApiObject,
  { user }: RequestContext,
  { platform: { names, access }, plural: resource }: LimitedKind,
): Promise<boolean> {
  const group = managementGroup(names)
  const path = `/apis/${group}/v1/namespaces/${namespace}/${resource}/restricted`
  const target = {
    group,
    version: 'v1',
    resource,
    subresource: 'restricted',
    namespace,
    name: '',
    path,
  }
  return (await access.authorize({ user, verb: 'create', isResource: true, ...target })).allowed
}
