import type { NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { Schema } from '../../../meta/schema.ts'
import { flag, secretText, text, textList, url } from '../../schema.ts'
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
      clientId: text('Id of the client at the provider.'),
      clientSecret: secretText('Secret of the client at the provider.'),
      redirectURI: url('http', 'Redirect address after login.'),
      postLogoutRedirectURI: url('http', 'Redirect address after logout.'),
      caFile: text("Path of a PEM file with the provider's root certificate."),
      insecureCa: flag("Whether the provider's certificate is not validated."),
      preferredUsername: text('Claim that holds the preferred user name.'),
      [`${names.platform}UsernameClaim`]: text('Claim that holds the user name.'),
      usernameClaim: text('Claim that holds the id of the user.'),
      emailClaim: text('Claim that holds the email address.'),
      allowedExtraClaims: textList('Additional claims stored with the user.'),
      usernamePrefix: text('Prefix of every user name.'),
      groupsClaim: text("Claim that holds the user's groups: a string or a list of strings."),
      groups: textList('Groups whose members may log in; empty: everybody.'),
      scopes: {
        ...textList('Requested scopes; empty: email and profile.'),
        default: ['email', 'profile'],
      },
      getUserInfo: flag("Whether the provider's user info endpoint is asked for more claims."),
      groupsPrefix: text('Prefix of every group.'),
      type: text('Kind of the provider, for display only.'),
      resource: text('Value of the parameter resource of the token request.'),
    },
    'Login through an OpenID Connect provider.',
  )
}
