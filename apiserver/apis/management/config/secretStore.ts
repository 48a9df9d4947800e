import type { NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { Schema } from '../../../meta/schema.ts'
import { flag, secretString, struct, string, url } from '../../schema.ts'
import { shape } from './shape.ts'

/** Settings for keeping project secrets in an external store. Source: specification, "secretStore". */
export function secretStoreSchema(names: NamesProfile): Schema {
  const reference = struct(
    {
      name: string('Name of the secret.'),
      key: { ...string('Key in the data of the secret.'), default: 'token' },
      optional: flag('Whether the secret may be missing.'),
    },
    'Secret with the token; used if token is not set.',
    { omitEmpty: true },
  )
  return shape(
    names,
    'SecretStore',
    {
      enabled: flag('Whether project secrets are synced; nothing else depends on it.'),
      address: url('http', "Address of the store; empty: that of the server's environment."),
      skipTLSVerify: flag("Whether the store's certificate is not verified."),
      namespace: string('Namespace in the store.'),
      auth: shape(
        names,
        'SecretStoreAuth',
        { token: secretString('Token for the store.'), tokenSecretRef: reference },
        'Authentication of the platform at the store.',
      ),
      syncInterval: {
        ...string('Interval between syncs, such as 30s or 1h30m.'),
        default: '1m',
      },
    },
    'Sync of project secrets with an external store.',
  )
}
