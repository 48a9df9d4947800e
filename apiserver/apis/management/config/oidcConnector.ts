import type { NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { Schema } from '../../../meta/schema.ts'
import { flag, secretString, string, stringList, url } from '../../schema.ts'
import { shape } from './shape.ts'

/** Login through an OpenID Connect provider. Source: specification, "status.auth", "OIDC fields". */
export function oidcConnectorSchema(names: NamesProfile): Schema {
  return shape(
    names,
    'AuthenticationOIDC',
    {
      issuerUrl: url(
        'issuer',
        'URL of the provider, as in the claim iss of its tokens. It must support discovery.',
      ),
      clientId: string('Id of the client at the provider.'),
      clientSecret: secretString('Secret of the client at the provider.'),
      redirectURI: url('http', 'Redirect address after login.'),
      postLogoutRedirectURI: url('http', 'Redirect address after logout.'),
      caFile: string("Path of a PEM file with the provider's root certificate."),
      insecureCa: flag("Whether the provider's certificate is not validated."),
      preferredUsername: string('Claim with the preferred user name.'),
      [`${names.platform}UsernameClaim`]: string('Claim with the user name.'),
      usernameClaim: string('Claim with the id of the user.'),
      emailClaim: string('Claim with the email address.'),
      allowedExtraClaims: stringList('Additional claims stored with the user.'),
      usernamePrefix: string('Prefix of every user name.'),
      groupsClaim: string("Claim with the user's groups: a string or a list of strings."),
      groups: stringList('Groups whose members may log in; empty: everybody.'),
      scopes: {
        ...stringList('Requested scopes; empty: email and profile.'),
        default: ['email', 'profile'],
      },
      getUserInfo: flag(
        "Whether to request additional claims from the provider's user info endpoint.",
      ),
      groupsPrefix: string('Prefix of every group.'),
      type: string('Kind of the provider, for display only.'),
      resource: string('Value of the parameter resource of the token request.'),
    },
    'Login through an OpenID Connect provider.',
  )
}
