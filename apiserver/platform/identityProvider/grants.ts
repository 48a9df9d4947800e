import type { Client, Grant, KoaContextWithOIDC } from 'oidc-provider'

/**
 * The grant of the session's user to the client, extended by the current request: the clients are the platform's own,
 * registered by its administrators, so users are not asked for consent.
 */
export async function grantOf(context: KoaContextWithOIDC): Promise<Grant | undefined> {
  const { session, client, params } = context.oidc
  const accountId = session?.accountId
  if (client === undefined || accountId === undefined) return undefined
  const found = await knownGrant(context, client, accountId)
  const grant = found ?? new context.oidc.provider.Grant({ accountId, clientId: client.clientId })
  const missing = scopesOf(params?.['scope']).filter((scope) => !has(grant, scope))
  if (missing.length > 0) grant.addOIDCScope(missing.join(' '))
  if (missing.length > 0 || found === undefined) await grant.save()
  return grant
}

/** The client's existing grant in this session, if it belongs to the same user. */
async function knownGrant(
  { oidc }: KoaContextWithOIDC,
  { clientId }: Client,
  accountId: string,
): Promise<Grant | undefined> {
  const id = oidc.session?.grantIdFor(clientId)
  const found = id === undefined ? undefined : await oidc.provider.Grant.find(id)
  return found?.accountId === accountId && found.clientId === clientId ? found : undefined
}

function has(grant: Grant, scope: string): boolean {
  return scopesOf(grant.getOIDCScope()).includes(scope)
}

function scopesOf(text: unknown): string[] {
  return typeof text === 'string' ? text.split(' ').filter((scope) => scope !== '') : []
}
