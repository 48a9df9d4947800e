import type { NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { Schema } from '../../../meta/schema.ts'
import { flag, listOf, secretText, struct, text, textList, url, urlList } from '../../schema.ts'
import { shape } from './shape.ts'

/** Apps that users can install. Source: specification, "apps". */
export function appsSchema(names: NamesProfile): Schema {
  return shape(
    names,
    'Apps',
    {
      noDefault: flag('Whether the default apps are left out.'),
      repositories: listOf(repositorySchema, 'Repositories that charts come from.'),
      predefinedApps: listOf(predefinedAppSchema, 'Apps that are offered.'),
    },
    'Apps that users can install.',
  )
}

const repositorySchema = struct(
  {
    name: text('Name of the repository.'),
    url: url('repository', 'Address of the repository.'),
    username: text('User name at the repository.'),
    password: secretText('Password at the repository.'),
    insecure: flag("Whether the repository's certificate is not verified."),
  },
  'A repository of charts.',
)

const predefinedAppSchema = struct(
  {
    chart: text('Chart of the app, with its repository.'),
    initialVersion: text('Version that is offered first.'),
    initialValues: text('Values that are offered first, as YAML.'),
    clusters: textList('Clusters that the app is offered in; empty: all.'),
    title: text('Name shown in the UI.'),
    iconUrl: url('asset', 'Address of the icon.'),
    readmeUrl: url('asset', 'Address of the read-me.'),
  },
  'An app that is offered.',
)

/** The platform as an OpenID Connect provider. Source: specification, "oidc" of the other status fields. */
export function oidcProviderSchema(names: NamesProfile): Schema {
  const client = struct(
    {
      name: text('Name of the client.'),
      clientId: text('Id that the client shows.'),
      clientSecret: secretText('Secret that the client shows.'),
      redirectURIs: urlList('redirect', 'Where users may be sent back to after login.'),
    },
    'A client of the provider.',
  )
  return shape(
    names,
    'OIDC',
    {
      enabled: flag('Whether the platform is an OpenID Connect provider.'),
      wildcardRedirect: flag('Whether redirectURIs may have * in them.'),
      clients: listOf(client, 'Clients of the provider.'),
    },
    'Deprecated. The platform as an OpenID Connect provider.',
  )
}
