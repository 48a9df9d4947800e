import type { NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { Schema } from '../../../meta/schema.ts'
import {
  flag,
  listOf,
  secretString,
  struct,
  string,
  stringList,
  url,
  urlList,
} from '../../schema.ts'
import { shape } from './shape.ts'

/** Apps that users can install. Source: specification, "apps". */
export function appsSchema(names: NamesProfile): Schema {
  return shape(
    names,
    'Apps',
    {
      noDefault: flag('Whether the default apps are hidden.'),
      repositories: listOf(repositorySchema, 'Chart repositories.'),
      predefinedApps: listOf(predefinedAppSchema, 'Apps offered to users.'),
    },
    'Apps that users can install.',
  )
}

const repositorySchema = struct(
  {
    name: string('Name of the repository.'),
    url: url('repository', 'Address of the repository.'),
    username: string('User name at the repository.'),
    password: secretString('Password at the repository.'),
    insecure: flag("Whether the repository's certificate is not verified."),
  },
  'A repository of charts.',
)

const predefinedAppSchema = struct(
  {
    chart: string('Chart of the app, with its repository.'),
    initialVersion: string('Default version.'),
    initialValues: string('Default values, as YAML.'),
    clusters: stringList('Clusters that the app is offered in; empty: all.'),
    title: string('Name shown in the UI.'),
    iconUrl: url('asset', 'Address of the icon.'),
    readmeUrl: url('asset', 'URL of the readme.'),
  },
  'An app offered to users.',
)

/** The platform as an OpenID Connect provider. Source: specification, "oidc" of the other status fields. */
export function oidcProviderSchema(names: NamesProfile): Schema {
  const client = struct(
    {
      name: string('Name of the client.'),
      clientId: string('Client id.'),
      clientSecret: secretString('Client secret.'),
      redirectURIs: urlList('redirect', 'Allowed redirect addresses after login.'),
    },
    'A client of the provider.',
  )
  return shape(
    names,
    'OIDC',
    {
      enabled: flag('Whether the platform is an OpenID Connect provider.'),
      wildcardRedirect: flag('Whether redirectURIs may contain *.'),
      clients: listOf(client, 'Clients of the provider.'),
    },
    'Deprecated. The platform as an OpenID Connect provider.',
  )
}
