import { parseObject } from '../meta/json/parseObject.ts'
import type { NamesProfile } from '../meta/names/namesProfile.ts'
import type { UserInfo } from '../meta/types.ts'

/** The key of `extra` in which another server hears, and says back, what a credential is narrowed to. */
export function scopeKey({ domain }: NamesProfile): string {
  return `${domain}/scope`
}

/** What another server may know of a user: a scope goes along, so that it narrows there too. */
export function withScopeShown(user: UserInfo, names: NamesProfile): UserInfo {
  const scope = user.credential?.scope
  if (scope === undefined) return user
  return { ...user, extra: { ...user.extra, [scopeKey(names)]: [asciiJson(scope)] } }
}

/** The same user narrowed as the scope in its `extra` says. Whoever names one can only take rights away.
 *  @throws Error where it cannot be read: without it the user would have more than was given. */
export function withScopeTaken(user: UserInfo, names: NamesProfile): UserInfo {
  const { [scopeKey(names)]: said, ...extra } = user.extra
  if (said === undefined) return user
  const [text = '', ...others] = said
  const scope = others.length === 0 ? parseObject(text) : undefined
  if (scope === undefined) throw new Error(`extra ${scopeKey(names)} is no scope`)
  return { ...user, extra, credential: { ...user.credential, scope } }
}

/** Front proxies carry it in a header. */
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
