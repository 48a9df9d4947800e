import { duplicateField, requiredField, type FieldError } from '../../../meta/fieldErrors.ts'

interface Client {
  clientId?: string
}

/**
 * Validates the clients of the platform's OpenID provider. @param oidc already matches the schema;
 * undefined: unset.
 */
export function identityProviderErrors(oidc: unknown): FieldError[] {
  // Guaranteed by the schema.
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
