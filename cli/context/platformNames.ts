import { namesProfile, type NamesProfile } from '../../apiserver/meta/names/namesProfile.ts'

/** Part of a server's names profile that a client needs. */
export type PlatformNames = Pick<NamesProfile, 'platform' | 'domain' | 'proxySegment' | 'cliRole'>

/** Response of `/auth/info`, limited to what is used. */
export interface LoginInfo {
  apiVersion?: string
  /** Absent from other servers with the same API. */
  names?: Partial<PlatformNames>
  methods?: {
    password?: { enabled?: boolean }
    sso?: { id: string; displayName: string }[]
    /** Absent: no login with a code for command-line clients. */
    cli?: { tokenEndpoint?: string }
  }
}

/**
 * Names of a server. Names that a server does not report are derived from its API group,
 * `authentication.<domain>`, and from the program's own name.
 */
export function namesOf({ apiVersion = '', names = {} }: LoginInfo, word: string): PlatformNames {
  const domain = /^authentication\.(.+)\/v1$/.exec(apiVersion)?.[1]
  const given = { platform: word, ...(domain === undefined ? {} : { domain }), ...names }
  const { platform, domain: full, proxySegment, cliRole } = namesProfile(given)
  return { platform, domain: full, proxySegment, cliRole }
}
