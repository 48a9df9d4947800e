import { hostName } from '../../../meta/names/hostName.ts'
import type { NamesProfile } from '../../../meta/names/namesProfile.ts'
import type { ApiObject } from '../../../meta/types.ts'
import type { ResourceDefinition } from '../../../registry/resource.ts'
import { struct, string } from '../../schema.ts'
import { answeredKind } from '../managementKind.ts'

const kind = 'TranslateVClusterResourceName'

/**
 * Translates the name of an object in a virtual cluster to its name on the host. Source: platform
 * facts 3.3, 6.7.
 */
export function translateNameResource(names: NamesProfile): ResourceDefinition {
  const plural = 'translatevclusterresourcenames'
  const description = `${kind} returns the name that an object of a virtual cluster has on its host.`
  const fields = {
    spec: struct(
      {
        name: string('Name of the object in the virtual cluster.'),
        namespace: string('Namespace of the object in the virtual cluster.'),
        vclusterName: string('Name of the virtual cluster.'),
      },
      'The object.',
    ),
    status: struct({ name: string('Name of the object on the host.') }, 'Result of the request.'),
  }
  return answeredKind({ names, kind, plural, description, fields }, ['create'], {
    create: (object) => ({ ...object, status: { name: translated(object) } }),
  })
}

function translated({ spec }: ApiObject): string {
  // Guaranteed by the schema.
  const {
    name = '',
    namespace = '',
    vclusterName = '',
  } = (spec ?? {}) as Record<string, string | undefined>
  return hostName({ name, namespace, virtualCluster: vclusterName })
}
