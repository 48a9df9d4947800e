import type { AuthorizationAttributes } from '../../../apiserver/authorization/authorizer.ts'
import type { RequestTarget } from '../../../apiserver/authorization/requestTarget.ts'
import { requestInfo } from '../../../apiserver/endpoints/requestInfo.ts'
import type { UserInfo } from '../../../apiserver/meta/types.ts'

/** Paths of the management API below its group. */
const managementPath = '/apis/management.platform/v1'

const jane: UserInfo = {
  name: 'jane',
  uid: '',
  groups: ['system:authenticated', 'platform:user:jane', 'platform:team:red'],
  extra: {},
}

/**
 * Request by Jane, a member of the team red, with this method and path, in the form that
 * authorization gets. `WATCH` is a GET with a watch; `~` represents the management group.
 */
export function attributesOf(request: string, target?: RequestTarget): AuthorizationAttributes {
  const [method = '', given = ''] = request.split(' ')
  const watches = method === 'WATCH'
  const path = given.startsWith('~') ? managementPath + given.slice(1) : given
  const info = requestInfo(watches ? 'GET' : method, path, () => watches)
  const { verb, isResource, group, version, resource, subresource, namespace, name } = info
  return {
    ...{ user: jane, verb, isResource, group, version, resource, subresource, namespace, name },
    path,
    ...(target === undefined ? {} : { target }),
  }
}
