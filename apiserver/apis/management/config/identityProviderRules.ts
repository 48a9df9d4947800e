import { duplicateField, requiredField, type FieldError } from '../../../meta/fieldErrors.ts'

interface Client {
  clientId?: string
}

/** The rules of the clients of the platform as an OpenID provider. @param oidc valid by the schema; undefined: not set. */
export function identityProviderErrors(oidc: unknown): FieldError[] {
  // The schema says so.
  const { clients = [] } = (oidc ?? {}) as { clients?: readonly Client[] }
  const ids = new Set<string>()
  return clients.flatMap(({ clientId = '' }, at) => {
    const path = `oidc.clients[${at}].clientId`
    if (clientId === '') return [requiredField(path)]
    if (ids.has(clientId)) return [duplicateField(path, clientId)]
    ids.add(clientId)
    return []
  })
}
