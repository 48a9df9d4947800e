/** Whom a provider says a user is. */
export interface ExternalIdentity {
  /** The id of the connector that asked. */
  connector: string
  /** Never another user's at this provider. */
  userId: string
  username: string
  preferredUsername: string
  /** The name that authorization sees, where no other account has it. */
  subject: string
  /** Undefined: the provider told none that can be relied on. */
  email: string | undefined
  emailVerified: boolean
  displayName: string | undefined
  icon: string | undefined
  /** As they are kept with the user. */
  groups: readonly string[]
  extraClaims: Readonly<Record<string, string>>
  /** What the connector keeps with the key: JSON. */
  connectorData: string | undefined
}

/** A user of whom nothing but the name is known yet, which is what the other names are, too. */
export function namedIdentity(
  connector: string,
  userId: string,
  username: string,
): ExternalIdentity {
  return {
    connector,
    userId,
    username,
    preferredUsername: username,
    subject: username,
    email: undefined,
    emailVerified: false,
    displayName: undefined,
    icon: undefined,
    groups: [],
    extraClaims: {},
    connectorData: undefined,
  }
}
