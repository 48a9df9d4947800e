import { managementGroup, type NamesProfile } from '../../meta/names/namesProfile.ts'
import type { AuthorizationAttributes } from '../authorizer.ts'
import { managementTarget, type RequestTarget } from '../requestTarget.ts'

/** A request with what it is about in the words of a scope. Undefined: the request is not about one; `*`: about all of
 *  them, as a list is. */
export interface ScopedRequest {
  attributes: AuthorizationAttributes
  target: RequestTarget
  project: string | undefined
  space: string | undefined
  virtualCluster: string | undefined
  cluster: string | undefined
}

export interface ScopeSettings {
  names: NamesProfile
  /** Config's setting, asked at every request: the namespace of a project is this and its name. */
  projectNamespacePrefix: () => string
}

type Subject = Pick<ScopedRequest, 'project' | 'space' | 'virtualCluster' | 'cluster'>

const nothing: Subject = {
  project: undefined,
  space: undefined,
  virtualCluster: undefined,
  cluster: undefined,
}

/** Kinds that live in the namespaces of projects alone, so that a list of all of them is about all projects. */
const kindsOfProjects = new Set([
  'projectsecrets',
  'spaceinstances',
  'virtualclusterinstances',
  'nodeclaims',
  'nodeenvironments',
])

/** Reads what a request is about. Source: platform facts 2 and 5. */
export function scopedRequest(
  attributes: AuthorizationAttributes,
  settings: ScopeSettings,
): ScopedRequest {
  const target = attributes.target ?? managementTarget
  return { attributes, target, ...subjectOf(target, attributes, settings) }
}

function subjectOf(
  target: RequestTarget,
  attributes: AuthorizationAttributes,
  settings: ScopeSettings,
): Subject {
  switch (target.plane) {
    case 'cluster':
      return { ...nothing, cluster: target.cluster }
    case 'virtualCluster':
      return { ...nothing, project: target.project, virtualCluster: target.virtualCluster }
    case 'space':
      return { ...nothing, project: target.project, space: target.space }
    case 'management':
      return attributes.isResource ? managementSubject(attributes, settings) : nothing
  }
}

function managementSubject(
  attributes: AuthorizationAttributes,
  { names, projectNamespacePrefix }: ScopeSettings,
): Subject {
  const project = projectOf(attributes.namespace, projectNamespacePrefix())
  const isManagement = attributes.group === managementGroup(names)
  return isManagement ? kindSubject(attributes, project) : { ...nothing, project }
}

/** For the kinds of the platform. */
function kindSubject(
  { resource, namespace, name }: AuthorizationAttributes,
  project: string | undefined,
): Subject {
  const object = name === '' ? '*' : name
  const isOfAll = namespace === '' && kindsOfProjects.has(resource)
  switch (resource) {
    case 'projects':
      return { ...nothing, project: object }
    case 'clusters':
      return { ...nothing, cluster: object }
    case 'spaceinstances':
      return { ...nothing, project: isOfAll ? '*' : project, space: object }
    case 'virtualclusterinstances':
      return { ...nothing, project: isOfAll ? '*' : project, virtualCluster: object }
    default:
      return { ...nothing, project: isOfAll ? '*' : project }
  }
}

function projectOf(namespace: string, prefix: string): string | undefined {
  return namespace.length > prefix.length && namespace.startsWith(prefix)
    ? namespace.slice(prefix.length)
    : undefined
}
