import { readFile } from 'node:fs/promises'
import { isObject } from '../../../meta/json/isObject.ts'
import type { Clock } from '../../../meta/clock.ts'
import { textClaim } from './identityClaims.ts'
import type { ProviderFetch } from './providerFetch.ts'

export interface ServiceAccountRequest {
  /** File with the account's `client_email`, `private_key` and `token_uri`. */
  path: string
  /** The user that the account impersonates. */
  subject: string
  scope: string
}

const grantType = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const lifeSeconds = 300

/** An access token for a service account that impersonates a user. Source: RFC 7523 section 2.1. */
export async function serviceAccountToken(
  { path, subject, scope }: ServiceAccountRequest,
  { fetch, clock }: { fetch: ProviderFetch; clock: Clock },
): Promise<string> {
  const file: unknown = JSON.parse(await readFile(path, 'utf8'))
  if (!isObject(file)) throw new Error(`${path} is not a service account key file`)
  const [email, key, tokenUri] = ['client_email', 'private_key', 'token_uri'].map((name) =>
    textClaim(file, name),
  )
  if (email === undefined || key === undefined || tokenUri === undefined) {
    throw new Error(`${path} needs client_email, private_key and token_uri`)
  }
  const { importPKCS8, SignJWT } = await import('jose')
  const now = Math.floor(clock.now() / 1000)
  const assertion = await new SignJWT({ scope })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
    .setIssuer(email)
    .setSubject(subject)
    .setAudience(tokenUri)
    .setIssuedAt(now)
    .setExpirationTime(now + lifeSeconds)
    .sign(await importPKCS8(key, 'RS256'))
  const response = await fetch(tokenUri, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: new URLSearchParams({ grant_type: grantType, assertion }).toString(),
  })
  const answer: unknown = await response.json()
  const token = isObject(answer) ? textClaim(answer, 'access_token') : undefined
  if (token === undefined) throw new Error(`${tokenUri} answers ${response.status} without a token`)
  return token
}
