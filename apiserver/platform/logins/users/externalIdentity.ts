/** A user's identity according to a provider. */
export interface ExternalIdentity {
  /** The id of the connector. */
  connector: string
  /** Unique at this provider, and never reused. */
  userId: string
  username: string
  preferredUsername: string
  /** The user name for authorization, if it is free. */
  subject: string
  /** Undefined: the provider has no reliable one. */
  email: string | undefined
  emailVerified: boolean
  displayName: string | undefined
  icon: string | undefined
  /** Groups to keep with the user. */
  groups: readonly string[]
  extraClaims: Readonly<Record<string, string>>
  /** Data that the connector keeps with the key: JSON. */
  connectorData: string | undefined
}

/** A user with only a name, which is used for the other names, too. */
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
