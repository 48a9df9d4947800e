import type { GroupVersion } from '../apiserver/meta/types.ts'
import type { DefinedSchema } from './definedSchema.ts'
import { mediaTypes } from './mediaTypes.ts'
import { capitalized, groupId, idPrefix, tagOf } from './operationNames.ts'
import { groupVersionPath } from './resourceRoutes.ts'
import type { Route } from './route.ts'
import { shared } from './sharedDefinitions.ts'

interface Words {
  id: string
  tag: string
  description: string
  /** Media types of the response. Default: the media types of every object. */
  mediaTypes?: readonly string[]
}

/** Paths that only describe the server: one GET each. Source: reference 6.1, 6.8. */

export const coreVersionsRoute: Route = discoveryRoute('/api/', shared.apiVersions, {
  id: 'getCoreAPIVersions',
  tag: 'core',
  description: 'get available API versions',
})

export const groupsRoute: Route = discoveryRoute('/apis/', shared.apiGroupList, {
  id: 'getAPIVersions',
  tag: 'apis',
  description: 'get available API versions',
})

export const versionRoute: Route = discoveryRoute('/version/', shared.versionInfo, {
  id: 'getCodeVersion',
  tag: 'version',
  description: 'get the version of the server',
  mediaTypes: ['application/json'],
})

export function groupRoute(group: string): Route {
  return discoveryRoute(`/apis/${group}/`, shared.apiGroup, {
    id: `get${capitalized(groupId(group))}APIGroup`,
    tag: groupId(group),
    description: 'get information of a group',
  })
}

export function resourceListRoute(groupVersion: GroupVersion): Route {
  const path = `${groupVersionPath(groupVersion)}/`
  return discoveryRoute(path, shared.apiResourceList, {
    id: `get${idPrefix(groupVersion)}APIResources`,
    tag: tagOf(groupVersion),
    description: 'get available resources',
  })
}

function discoveryRoute(path: string, schema: DefinedSchema, words: Words): Route {
  const types = words.mediaTypes ?? mediaTypes(true).objects
  const get = {
    id: words.id,
    tags: [words.tag],
    description: words.description,
    parameters: [],
    consumes: types,
    produces: types,
    responses: { 200: schema },
  }
  return { path, parameters: [], operations: { get } }
}
