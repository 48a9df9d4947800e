import { isDeepStrictEqual } from 'node:util'
import type { AuthorizationAttributes } from '../../../authorization/authorizer.ts'
import { superuserGroups } from '../../../authorization/superusers.ts'
import { decodeWholeYaml } from '../../../encoding/yaml.ts'
import { goQuote } from '../../../meta/goQuote.ts'
import { isObject } from '../../../meta/json/isObject.ts'
import { managementGroup } from '../../../meta/names/namesProfile.ts'
import { StatusError } from '../../../meta/status.ts'
import { forbidden } from '../../../meta/statusErrors.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { RequestContext, Strategy } from '../../../registry/strategy.ts'
import { allObjects, objectIfAny } from '../../storeReads.ts'
import { managementResource } from '../managementKind.ts'
import type { Platform } from '../platform.ts'
import { memberAt, ownHostNamespace, templateValues } from './instanceParts.ts'
import { defaultRole, roleWithin } from './rolesWithin.ts'

type AuthorizeWrite = NonNullable<Strategy['authorizeWrite']>

/** Part of the platform that determines the rights. */
type HostPlatform = Pick<Platform, 'names' | 'access' | 'projectNamespacePrefix'>

interface InstanceSpec {
  clusterRef?: { cluster?: string; namespace?: string }
  template?: unknown
}

/**
 * Requires rights for host namespaces, since the syncer has more rights there than the users of an
 * instance. Users who name a namespace other than the instance's own, in
 * `spec.clusterRef.namespace` or in the mappings of the inline template, need the right to use the
 * cluster as an administrator. Unchanged fields are not checked.
 */
export function hostRights(platform: HostPlatform): AuthorizeWrite {
  return async (next, old, context) => {
    const spec = specOf(next)
    const cluster = spec.clusterRef?.cluster ?? ''
    if (cluster === '' || (old !== undefined && isSame(specOf(old), spec))) return
    const others = [...otherNamespace(next, platform), ...(await mappedNamespaces(spec.template))]
    const [first] = others
    if (first === undefined || (await mayAdminister(cluster, platform, context))) return
    const why = `namespace ${goQuote(first)} of cluster ${goQuote(cluster)} is not the instance's own: this requires the right to use the cluster, as its administrator`
    const resource = managementResource(platform.names, 'virtualclusterinstances')
    throw forbidden(resource, next.metadata.name ?? '', why)
  }
}

function isSame(old: InstanceSpec, next: InstanceSpec): boolean {
  return (
    isDeepStrictEqual(old.clusterRef, next.clusterRef) &&
    isDeepStrictEqual(old.template, next.template)
  )
}

/** Namespace of the reference to the cluster, unless it is the instance's own. */
function otherNamespace(instance: ApiObject, platform: HostPlatform): string[] {
  const namespace = specOf(instance).clusterRef?.namespace ?? ''
  const own = ownHostNamespace(instance, platform.projectNamespacePrefix(), platform.names)
  return namespace === '' || namespace === own ? [] : [namespace]
}

/** The same check for a template, which may be used with any cluster. */
export function templateHostRights(platform: Pick<Platform, 'names' | 'access'>): AuthorizeWrite {
  return async (next, old, context) => {
    const templates = templatesOf(next)
    if (old !== undefined && isDeepStrictEqual(templates, templatesOf(old))) return
    const named = await Promise.all(templates.map(mappedNamespaces))
    const [first] = named.flat()
    if (first === undefined || (await mayAdminister('', platform, context))) return
    const why = `namespace ${goQuote(first)} of the host is not an instance's own: this requires the right to use every cluster, as its administrator`
    const resource = managementResource(platform.names, 'virtualclustertemplates')
    throw forbidden(resource, next.metadata.name ?? '', why)
  }
}

function specOf(instance: ApiObject): InstanceSpec {
  return instance['spec'] ?? {} // typed by the schema of instances
}

function templatesOf(object: ApiObject): unknown[] {
  // Guaranteed by the schema of templates.
  const { template, versions = [] } = (object['spec'] ?? {}) as {
    template?: unknown
    versions?: { template?: unknown }[]
  }
  return [template, ...versions.map((version) => version.template)]
}

/**
 * Host namespaces to which a template's values map virtual ones; none if the values cannot be
 * parsed, since then nothing is synced.
 */
async function mappedNamespaces(template: unknown): Promise<string[]> {
  const values = templateValues(template)
  if (values.trim() === '') return []
  let config: unknown
  try {
    config = (await decodeWholeYaml(Buffer.from(values))).value
  } catch (error) {
    if (error instanceof StatusError) return []
    throw error
  }
  const byName = memberAt(config, 'sync', 'toHost', 'namespaces', 'mappings', 'byName')
  return isObject(byName) ? Object.values(byName).map(String) : []
}

/** Reports whether the user may use a cluster as an administrator; '' means every cluster. */
async function mayAdminister(
  cluster: string,
  { names, access }: Pick<Platform, 'names' | 'access'>,
  { user }: RequestContext,
): Promise<boolean> {
  const group = managementGroup(names)
  const wanted: AuthorizationAttributes = {
    ...{ user, verb: 'use', isResource: true, group, version: 'v1', resource: 'clusters' },
    ...{ subresource: '', namespace: '', name: cluster, path: '' },
  }
  if (!(await access.authorize(wanted)).allowed) return false
  if (superuserGroups(names).some((one) => user.groups.includes(one))) return true
  const store = access.store(managementResource(names, 'clusters'))
  const named = () => [objectIfAny(store, { namespace: '', name: cluster })]
  const clusters = cluster === '' ? await allObjects(store) : named()
  return clusters.every((one) => one !== undefined && roleWithin(one, user, names) === defaultRole)
}
