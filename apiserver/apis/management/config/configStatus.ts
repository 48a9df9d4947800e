import type { NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { Schema } from '../../../meta/schema.ts'
import { flag, secretString, string, stringList } from '../../schema.ts'
import { appsSchema, oidcProviderSchema } from './apps.ts'
import { auditSchema } from './audit.ts'
import { authSchema } from './auth.ts'
import { costControlSchema, replicasAndResources } from './costControl.ts'
import { secretStoreSchema } from './secretStore.ts'
import { shape } from './shape.ts'
import { uiSettingsSchema } from './uiSettings.ts'

/**
 * The platform's configuration in effect. The YAML document in `spec.raw` has the same fields.
 * Source: specification, "Config"; platform facts 1.7.
 */
export function configStatusSchema(names: NamesProfile): Schema {
  const status = shape(
    names,
    'ConfigStatus',
    {
      auth: authSchema(names),
      oidc: oidcProviderSchema(names),
      apps: appsSchema(names),
      audit: auditSchema(names),
      [`${names.platform}Host`]: {
        ...string('Domain of the platform, without a scheme.'),
        pattern: '^[^/\\s]*$',
      },
      projectNamespacePrefix: {
        ...string('Prefix of the namespaces of projects.'),
        pattern: '^[a-z0-9][-a-z0-9]*$',
        maxLength: 40,
        default: 'p-',
      },
      [`${names.workspaceTool}SubDomain`]: string('Deprecated. Wildcard subdomain of workspaces.'),
      uiSettings: uiSettingsSchema(names),
      [names.secretStore]: secretStoreSchema(names),
      disableConfigEndpoint: flag('Whether the configuration cannot be set through the API.'),
      authenticateVersionEndpoint: flag('Whether reading the version requires a login.'),
      cloud: cloudSchema(names),
      costControl: costControlSchema(names),
      platformDB: shape(
        names,
        'PlatformDB',
        { storageClass: string("Storage class of its volume; empty: the cluster's default.") },
        'The database that comes with the platform.',
      ),
      imageBuilder: shape(
        names,
        'ImageBuilder',
        { enabled: flag('Whether images are built.'), ...replicasAndResources(names) },
        'Builds images.',
      ),
      database: databaseSchema(names),
    },
    'Effective configuration, including defaults.',
  )
  return { ...status, omitEmpty: false }
}

function cloudSchema(names: NamesProfile): Schema {
  const hour = '([01][0-9]|2[0-3]):[0-5][0-9]'
  return shape(
    names,
    'Cloud',
    {
      releaseChannel: string('Release channel.'),
      maintenanceWindow: shape(
        names,
        'MaintenanceWindow',
        {
          dayOfWeek: string('Name of the day.'),
          timeWindow: {
            ...string('Time range in UTC, such as 22:00-23:30.'),
            pattern: `^${hour}-${hour}$`,
          },
        },
        'Maintenance window.',
      ),
    },
    'The platform as a hosted service.',
  )
}

function databaseSchema(names: NamesProfile): Schema {
  return shape(
    names,
    'Database',
    {
      enabled: flag('Whether an external database is used.'),
      dataSource: secretString('Address and credentials of the database.'),
      identityProvider: string('Kind of the identity provider that gives access to the database.'),
      keyFile: string('Path of the private key for the database.'),
      certFile: string('Path of the certificate for the database.'),
      caFile: string("Path of the root certificate of the database's certificate."),
      extraArgs: stringList('Further arguments.'),
    },
    'Database for the state of the platform.',
  )
}
