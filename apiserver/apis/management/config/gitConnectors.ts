import type { NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { Schema } from '../../../meta/schema.ts'
import { listOf, secretString, struct, string, stringList, url } from '../../schema.ts'
import { shape } from './shape.ts'

/** Settings common to all OAuth 2.0 connectors. */
export function clientFields(): Record<string, Schema> {
  return {
    clientId: string('Id of the client at the provider.'),
    clientSecret: secretString('Secret of the client at the provider.'),
    redirectURI: url('http', 'Redirect address after login.'),
  }
}

/** Login through the two hosted-git services. Source: specification, "status.auth". */
export function gitConnectorSchemas(names: NamesProfile): Record<string, Schema> {
  return { [names.gitHostA]: gitHostA(names), [names.gitHostB]: gitHostB(names) }
}

function gitHostA(names: NamesProfile): Schema {
  const org = struct(
    {
      name: string('Name of the organization.'),
      teams: stringList('Teams whose members may log in; empty: every member of the organization.'),
    },
    'An organization.',
  )
  return shape(
    names,
    'AuthenticationGitHostA',
    {
      ...clientFields(),
      orgs: listOf(org, 'Organizations whose members may log in; empty: everybody.'),
      hostName: url('host', 'Host of the enterprise edition; empty: the public service.'),
      rootCA: string('Path of a PEM file with the root certificate of the enterprise edition.'),
    },
    'Login through a hosted-git service with organizations and teams.',
  )
}

function gitHostB(names: NamesProfile): Schema {
  return shape(
    names,
    'AuthenticationGitHostB',
    {
      ...clientFields(),
      baseURL: url('http', "Address of the service; empty: the provider's public address."),
      groups: stringList('Groups whose members may log in; empty: everybody.'),
    },
    'Login through a hosted-git service with groups.',
  )
}
