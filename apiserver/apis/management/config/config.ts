import type { NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { PlatformConfig } from '../../../platformConfig/platformConfig.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import type { PlaneAccess } from '../../planeAccess.ts'
import { bytes, secret, struct } from '../../schema.ts'
import { answeredKind } from '../managementKind.ts'
import { ConfigAnswers, configKind, listedName } from './configAnswers.ts'
import { configStatusSchema } from './configStatus.ts'

/**
 * The platform's configuration. Source: specification, "Config"; platform facts 1.7. Extensions:
 * list, update and patch. Secrets are shown only to users who may `get` the subresource `secrets`,
 * which has no path of its own.
 */
export function configResource(
  names: NamesProfile,
  config: PlatformConfig,
  access: PlaneAccess,
): ResourceDefinition {
  const answers = new ConfigAnswers(names, config, access)
  const resource = answeredKind(
    {
      names,
      ...configKind,
      description: 'Config is the configuration of the platform; there is one.',
      fields: {
        spec: struct(
          {
            raw: secret(
              bytes('The configuration as a YAML document with the fields of status, in base64.'),
            ),
          },
          'Desired state of the configuration.',
        ),
        status: configStatusSchema(names),
      },
    },
    ['create', 'get', 'list', 'patch', 'update'],
    {
      get: (request) => answers.show(request),
      list: async (request) => [await answers.show({ ...request, name: listedName })],
      change: (transform, request) => answers.change(transform, request),
    },
  )
  return { ...resource, aliases: ['config'] }
}
