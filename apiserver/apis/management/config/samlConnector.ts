import type { NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { Schema } from '../../../meta/schema.ts'
import { bytes, flag, string, stringList, url } from '../../schema.ts'
import { shape } from './shape.ts'

/** Login through a SAML 2.0 provider. Source: specification, "status.auth". */
export function samlConnectorSchema(names: NamesProfile): Schema {
  return shape(
    names,
    'AuthenticationSAML',
    {
      redirectURI: url(
        'http',
        'Address that the provider posts its response to. A Destination in the response must equal it.',
      ),
      ssoURL: url('http', 'Address that authentication requests are sent to.'),
      caData: bytes(
        'Certificates in PEM that responses are verified with. One of caData, ca and insecureSkipSignatureValidation is required.',
      ),
      ca: string('Path of a PEM file of such certificates.'),
      insecureSkipSignatureValidation: flag('Whether signatures of responses are not verified.'),
      usernameAttr: string('Attribute with the user name.'),
      emailAttr: string('Attribute with the email address.'),
      groupsAttr: string('Attribute with the groups.'),
      entityIssuer: string(
        'Issuer of authentication requests; it is the audience that responses must have, in place of redirectURI.',
      ),
      ssoIssuer: string('Issuer that responses must have; empty: any.'),
      groupsDelim: string(
        'Separator of groups in one string; empty: every group has its own value.',
      ),
      allowedGroups: stringList('Groups whose members may log in; empty: everybody.'),
      filterGroups: flag('Whether users get only the allowed groups.'),
      nameIDPolicyFormat: string(
        'Format of the name id: a whole URI or its last part; empty: the persistent one of SAML 2.0.',
      ),
    },
    'Login through a SAML 2.0 provider.',
  )
}
