import { managementGroup, type NamesProfile } from '../../meta/names/namesProfile.ts'
import type { AuthorizationAttributes } from '../authorizer.ts'
import { managementTarget, type RequestTarget } from '../requestTarget.ts'

/**
 * Request and its subjects, in the terms of a scope. Undefined: the request does not concern a
 * subject of this type; `*`: it concerns all of them, as a list does.
 */
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
  /** Prefix of project namespaces, a setting of Config that is read for every request. */
  projectNamespacePrefix: () => string
}

type Subject = Pick<ScopedRequest, 'project' | 'space' | 'virtualCluster' | 'cluster'>

const nothing: Subject = {
  project: undefined,
  space: undefined,
  virtualCluster: undefined,
  cluster: undefined,
}

/**
 * Kinds that exist only in project namespaces, so that a list across namespaces concerns all
 * projects.
 */
const kindsOfProjects = new Set([
  'projectsecrets',
  'spaceinstances',
  'virtualclusterinstances',
  'nodeclaims',
  'nodeenvironments',
])

/** Determines the subjects of a request. Source: platform facts 2 and 5. */
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

/** The subject of a request for one of the platform's kinds. */
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
