import type { UserInfo } from '../meta/types.ts'

export type Headers = Record<string, string | string[]>

/**
 * Headers in which a front proxy passes the user of a request.
 * Source: Kubernetes documentation, "Configure the aggregation layer".
 */
export function userHeaders({ name, uid, groups, extra }: UserInfo): Headers {
  const extras = Object.entries(extra).map(([key, values]): [string, string[]] => [
    `x-remote-extra-${escapedKey(key)}`,
    values.map(headerText),
  ])
  return {
    'x-remote-user': headerText(name),
    ...(uid === '' ? {} : { 'x-remote-uid': headerText(uid) }),
    'x-remote-group': groups.map(headerText),
    ...Object.fromEntries(extras),
  }
}

/** Key in which characters that header names cannot contain are percent-encoded UTF-8. */
function escapedKey(key: string): string {
  return key
    .toLowerCase()
    .replace(/[^a-z0-9!#$&'*+.^_`|~-]/gu, (character) =>
      [...Buffer.from(character)]
        .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
        .join(''),
    )
}

/**
 * UTF-8 bytes of a string as Latin-1 characters, which Node writes unchanged in headers, without
 * line breaks.
 */
function headerText(text: string): string {
  return Buffer.from(text.replace(/[\r\n]/g, ' ')).toString('latin1')
}
