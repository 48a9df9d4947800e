import { unauthorized } from '../../../meta/statusErrors.ts'
import type { NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { ApiObject, UserInfo } from '../../../meta/types.ts'
import type { AnswerRequest } from '../../../registry/answers.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import type { PlaneAccess } from '../../planeAccess.ts'
import { listOf, mapOf, secretString, struct, string, stringList } from '../../schema.ts'
import { objectIfAny } from '../../storeReads.ts'
import { entityInfoFields, entityInfoSchema, entityNamed } from './entityInfo.ts'
import { answeredKind, answerObject, managementResource } from '../managementKind.ts'
import type { Platform } from '../platform.ts'
import { scopeSchema } from '../accessKeys/scope.ts'

/** Returns the identity of the client. Source: platform facts 3.2, 3.3, "Self". */
export function selfResource(platform: Platform): ResourceDefinition {
  const { names } = platform
  const fields = {
    spec: struct(
      { accessKey: secretString('Access key to describe instead of the one in use.') },
      'Requested configuration.',
    ),
    status: struct(statusFields(names), 'The requesting user or team.'),
  }
  const description = 'Self describes the requesting user or team.'
  const shape = { names, kind: 'Self', plural: 'selves', description, fields }
  return answeredKind(shape, ['create', 'get'], {
    create: (object, request) => answer(object, request, platform),
    get: (request) => {
      const metadata = { name: request.name }
      return answer(answerObject(names, 'Self', { metadata, spec: {} }), request, platform)
    },
  })
}

function statusFields(names: NamesProfile) {
  return {
    user: struct(
      {
        ...entityInfoFields,
        teams: listOf(entityInfoSchema('A team.'), 'Teams the user is in.'),
        extraClaims: mapOf({ type: 'string' }, 'Additional claims added by an administrator.'),
      },
      'The user; absent if the request is not from a user.',
      { omitEmpty: true },
    ),
    team: entityInfoSchema('The team; absent if the request is not from a team.'),
    accessKey: string('Name of the access key in use.'),
    accessKeyScope: scopeSchema(names),
    accessKeyType: string('Type of the access key in use.'),
    subject: string('Name used for authorization.'),
    uid: string('Uid of the user or team.'),
    groups: stringList('Groups used for authorization.'),
    chatAuthToken: string('Token of the support chat; always empty.'),
    instanceID: string('Id of this installation of the platform.'),
    [`${names.platform}Host`]: string('Domain of the instance without scheme.'),
    projectNamespacePrefix: {
      type: 'string',
      description: 'Prefix of project namespaces.',
    },
  } as const
}

function answer(object: ApiObject, request: AnswerRequest, platform: Platform): ApiObject {
  // Guaranteed by the schema.
  const { accessKey } = (object['spec'] ?? {}) as { accessKey?: string }
  const user = accessKey === undefined ? request.user : platform.authenticate(accessKey)
  if (user === undefined) throw unauthorized()
  // The key is a secret that must not be returned.
  return { ...object, spec: {}, status: status(user, platform) }
}

function status(user: UserInfo, platform: Platform): Record<string, unknown> {
  const { names, access } = platform
  const { credential = {} } = user
  return {
    ...(credential.user === undefined ? {} : { user: userInfo(credential.user, platform) }),
    ...(credential.team === undefined
      ? {}
      : { team: entityNamed(platform, 'teams', credential.team) }),
    ...optional('accessKey', credential.accessKey),
    ...optional('accessKeyScope', credential.scope),
    ...optional('accessKeyType', credential.accessKeyType),
    subject: user.name,
    ...optional('uid', user.uid === '' ? undefined : user.uid),
    groups: user.groups,
    ...optional('instanceID', instanceId(access)),
    ...optional(`${names.platform}Host`, platform.host()),
    projectNamespacePrefix: platform.projectNamespacePrefix(),
  }
}

function userInfo(name: string, platform: Platform) {
  const teams = platform.teamsOf(name).map((team) => entityNamed(platform, 'teams', team))
  const claims = extraClaims(name, platform)
  return {
    ...entityNamed(platform, 'users', name),
    ...(teams.length === 0 ? {} : { teams }),
    ...optional('extraClaims', claims),
  }
}

function extraClaims(name: string, { names, access }: Platform): unknown {
  const users = access.store(managementResource(names, 'users'))
  // Guaranteed by the schema of users.
  const { extraClaims: claims } = (objectIfAny(users, { namespace: '', name })?.['spec'] ?? {}) as {
    extraClaims?: Record<string, string>
  }
  return claims
}

/** The instance ID: the uid of the namespace that identifies a cluster. */
function instanceId(access: PlaneAccess): string | undefined {
  const namespaces = access.store({ group: '', resource: 'namespaces' })
  return objectIfAny(namespaces, { namespace: '', name: 'kube-system' })?.metadata.uid
}

function optional(name: string, value: unknown): Record<string, unknown> {
  return value === undefined ? {} : { [name]: value }
}
