import type { Random } from '../../meta/clock.ts'
import type { NamesProfile } from '../../meta/namesProfile.ts'
import type { ResourceDefinition } from '../../registry/resource.ts'
import { configMapResource } from '../core/configMap.ts'
import { namespaceResource } from '../core/namespace.ts'
import { secretResource } from '../core/secret.ts'
import { serviceResource } from '../core/service.ts'
import { ownedAccessKeyResource } from './ownedAccessKey.ts'
import { sharedSecretResource } from './sharedSecret.ts'
import { userResource } from './user.ts'

export interface ManagementResources {
  namespaces: ResourceDefinition
  users: ResourceDefinition
  keys: ResourceDefinition
  sharedSecrets: ResourceDefinition
  configMaps: ResourceDefinition
  secrets: ResourceDefinition
  services: ResourceDefinition
}

/** The kinds of the management API. */
export function managementResources(names: NamesProfile, random: Random): ManagementResources {
  return {
    namespaces: namespaceResource,
    users: userResource(names),
    keys: ownedAccessKeyResource(names, random),
    sharedSecrets: sharedSecretResource(names),
    configMaps: configMapResource,
    secrets: secretResource,
    services: serviceResource,
  }
}
