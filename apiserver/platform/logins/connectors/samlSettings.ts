/** Settings of the provider. Source: specification, "status.auth", saml. */
export interface SamlSettings {
  redirectURI?: string
  ssoURL?: string
  /** Base64 of PEM. */
  caData?: string
  /** Path of a PEM file. */
  ca?: string
  insecureSkipSignatureValidation?: boolean
  usernameAttr?: string
  emailAttr?: string
  groupsAttr?: string
  entityIssuer?: string
  ssoIssuer?: string
  groupsDelim?: string
  allowedGroups?: readonly string[]
  filterGroups?: boolean
  nameIDPolicyFormat?: string
}
