import type * as OpenId from 'openid-client'
import type { Clock } from '../../../meta/clock.ts'
import { isLoopback } from '../loopback.ts'
import { openId, prepare } from './codeFlow.ts'
import type { ProviderFetch } from './providerFetch.ts'

export interface DiscoveryOptions {
  settings: { issuerUrl?: string; clientId?: string; clientSecret?: string }
  fetch: ProviderFetch
  clock: Clock
}

/** Time to cache a provider's metadata. */
const maxAgeMs = 10 * 60 * 1000
/** Tolerated clock skew in seconds. */
const clockToleranceSeconds = 60
/** Accepted signature algorithms: asymmetric ones only, neither client secrets nor unsigned tokens. */
const asymmetric = /^(RS|PS|ES)(256|384|512)$|^EdDSA$|^Ed25519$/

/** Returns a function that discovers the provider of an issuer, and caches it for a while; failures are not cached. */
export function discovered(options: DiscoveryOptions): () => Promise<OpenId.Configuration> {
  let known: Promise<OpenId.Configuration> | undefined
  let at = 0
  return () => {
    const now = options.clock.now()
    if (known !== undefined && now - at < maxAgeMs) return known
    at = now
    const found = discover(options)
    known = found
    found.catch(() => {
      if (known === found) known = undefined
    })
    return found
  }
}

async function discover({ settings, fetch }: DiscoveryOptions): Promise<OpenId.Configuration> {
  const client = await openId()
  const { issuerUrl = '', clientId = '', clientSecret = '' } = settings
  const metadata = { [client.clockTolerance]: clockToleranceSeconds }
  const authentication = clientSecret === '' ? client.None() : undefined
  const configuration = await client.discovery(
    new URL(issuerUrl),
    clientId,
    { ...metadata, ...(clientSecret === '' ? {} : { client_secret: clientSecret }) },
    authentication ?? client.ClientSecretBasic(clientSecret),
    {
      [client.customFetch]: fetch,
      timeout: 10,
      execute: [
        client.enableNonRepudiationChecks,
        ...(isLoopback(issuerUrl) ? [client.allowInsecureRequests] : []),
      ],
    },
  )
  prepare(client, configuration, fetch)
  checkAlgorithms(configuration.serverMetadata())
  return configuration
}

function checkAlgorithms(server: Readonly<OpenId.ServerMetadata>): void {
  const offered = server.id_token_signing_alg_values_supported ?? ['RS256']
  if (offered.some((algorithm) => asymmetric.test(algorithm))) return
  throw new Error(`${server.issuer} signs with none of the algorithms that can be relied on`)
}
