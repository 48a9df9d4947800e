import { managementGroup, type NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { RequestContext } from '../../../registry/strategy.ts'
import type { PlaneAccess } from '../../planeAccess.ts'

/** Shows whether the caller may use and update the instance. Source: platform facts 3.3, 7.1. */
export function instanceRights(names: NamesProfile, resource: string, access: PlaneAccess) {
  return async (object: ApiObject, { user }: RequestContext): Promise<ApiObject> => {
    const group = managementGroup(names)
    const { name = '', namespace = '' } = object.metadata
    const may = async (verb: string): Promise<boolean> => {
      const path = `/apis/${group}/v1/namespaces/${namespace}/${resource}/${name}`
      const target = { group, version: 'v1', resource, subresource: '', namespace, name, path }
      return (await access.authorize({ user, verb, isResource: true, ...target })).allowed
    }
    const [canUse, canUpdate] = await Promise.all([may('use'), may('update')])
    // Guaranteed by the schema.
    const status = { ...(object['status'] as Record<string, unknown> | undefined) }
    if (canUse) status['canUse'] = true
    if (canUpdate) status['canUpdate'] = true
    return { ...object, status }
  }
}
