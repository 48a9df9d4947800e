/** Annotations that link a user to a provider. */
export interface LinkAnnotations {
  /** `<connector>:<id of the user there>`, written at the first login. */
  identity: string
  /**
   * The name of a connector: its user with the same email address or subject may claim this account
   * once.
   */
  invitation: string
}

export function linkAnnotations(domain: string): LinkAnnotations {
  return { identity: `${domain}/sso-identity`, invitation: `${domain}/sso-connector` }
}
