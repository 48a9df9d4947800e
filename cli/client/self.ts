import type { ApiClient } from './apiClient.ts'
import { listAt, textAt, type ApiObject } from '../base/apiObject.ts'

/** Identity of a credential. */
export interface Self {
  /** The whole response. */
  object: ApiObject
  kind: 'user' | 'team' | 'other'
  /** Name of the User or Team, otherwise the subject. */
  name: string
  teams: string[]
  groups: string[]
  /** Name of the AccessKey in use, if any. */
  accessKey: string | undefined
  accessKeyType: string | undefined
  /** Scope; absent: the key is not restricted. */
  scope: Record<string, unknown> | undefined
  projectNamespacePrefix: string
}

/** Requests the identity of the client. */
export async function askSelf(client: ApiClient): Promise<Self> {
  const object = await client.create({ plural: 'selves' }, { metadata: {}, spec: {} })
  const { status } = object
  const user = textAt(status, 'user', 'name')
  const team = textAt(status, 'team', 'name')
  return {
    object,
    kind: user !== undefined ? 'user' : team !== undefined ? 'team' : 'other',
    name: user ?? team ?? textAt(status, 'subject') ?? '',
    teams: listAt(status, 'user', 'teams').flatMap((each) => textAt(each, 'name') ?? []),
    groups: listAt(status, 'groups').map(String),
    accessKey: textAt(status, 'accessKey'),
    accessKeyType: textAt(status, 'accessKeyType'),
    // Sound: an object by the schema.
    scope: status?.['accessKeyScope'] as Record<string, unknown> | undefined,
    // Servers that do not report the prefix have the legacy one.
    projectNamespacePrefix:
      textAt(status, 'projectNamespacePrefix') ?? `${client.names.platform}-p-`,
  }
}

export function projectNamespace({ projectNamespacePrefix }: Self, project: string): string {
  return projectNamespacePrefix + project
}
