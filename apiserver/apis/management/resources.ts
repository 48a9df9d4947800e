import type { Random } from '../../meta/clock.ts'
import type { NamesProfile } from '../../meta/names/namesProfile.ts'
import type { ResourceDefinition } from '../../registry/resource.ts'
import type { PlatformConfig } from '../../platformConfig/platformConfig.ts'
import type { PlaneAccess } from '../planeAccess.ts'
import { configMapResource } from '../kubernetes/core/configMap.ts'
import { namespaceResource } from '../kubernetes/core/namespace/namespace.ts'
import { secretResource } from '../kubernetes/core/secret.ts'
import { configResource } from './config/config.ts'
import { ownedAccessKeyResource } from './accessKeys/ownedAccessKey.ts'
import { projectSecretResource } from './secrets/projectSecret.ts'
import { coreSecretForm, managementSecretForm } from './secrets/secretForm.ts'
import { resetAccessKeyResource } from './accessKeys/resetAccessKey.ts'
import { sharedSecretResource } from './secrets/sharedSecret.ts'
import { syncsWithStore } from './secrets/syncsWithStore.ts'
import { takesSharedSecret } from './secrets/usesSharedSecret.ts'

export interface ManagementResources {
  namespaces: ResourceDefinition
  keys: ResourceDefinition
  resetAccessKeys: ResourceDefinition
  sharedSecrets: ResourceDefinition
  projectSecrets: ResourceDefinition
  configMaps: ResourceDefinition
  secrets: ResourceDefinition
  configs: ResourceDefinition
}

export interface PlatformRules {
  config: PlatformConfig
  /** Maximum number of access keys of a user or a team; 0: unlimited. */
  maxAccessKeys: number
}

/** The kinds of the management API. */
export function managementResources(
  names: NamesProfile,
  random: Random,
  access: PlaneAccess,
  { config, maxAccessKeys }: PlatformRules,
): ManagementResources {
  return {
    namespaces: namespaceResource,
    keys: ownedAccessKeyResource(names, random, access, () => ({
      ...config.current(),
      maxKeys: maxAccessKeys,
    })),
    resetAccessKeys: resetAccessKeyResource(names, random, access),
    sharedSecrets: syncsWithStore(sharedSecretResource(names), names, access),
    projectSecrets: takesSharedSecret(syncsWithStore(projectSecretResource(names), names, access), {
      names,
      access,
      form: managementSecretForm,
    }),
    configMaps: configMapResource,
    secrets: takesSharedSecret(secretResource, { names, access, form: coreSecretForm(names) }),
    configs: configResource(names, config, access),
  }
}
