import { parseObject } from '../meta/json/parseObject.ts'
import type { NamesProfile } from '../meta/names/namesProfile.ts'
import type { UserInfo } from '../meta/types.ts'

/** The key of `extra` that passes the scope of a credential to another server and back. */
export function scopeKey({ domain }: NamesProfile): string {
  return `${domain}/scope`
}

/**
 * The user as passed to another server, including the scope, so that the restriction also applies
 * there.
 */
export function withScopeShown(user: UserInfo, names: NamesProfile): UserInfo {
  const scope = user.credential?.scope
  if (scope === undefined) return user
  return { ...user, extra: { ...user.extra, [scopeKey(names)]: [asciiJson(scope)] } }
}

/**
 * Restricts a user to the scope in its `extra`. Clients can only reduce their rights this way.
 * @throws Error if the scope cannot be read: ignoring it would extend the rights.
 */
export function withScopeOfExtra(user: UserInfo, names: NamesProfile): UserInfo {
  const { [scopeKey(names)]: said, ...extra } = user.extra
  if (said === undefined) return user
  const [text = '', ...others] = said
  const scope = others.length === 0 ? parseObject(text) : undefined
  if (scope === undefined) throw new Error(`extra ${scopeKey(names)} is not a scope`)
  return { ...user, extra, credential: { ...user.credential, scope } }
}

/** JSON with ASCII characters only, since front proxies pass it in a header. */
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
