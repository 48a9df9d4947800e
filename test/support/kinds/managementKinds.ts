import type { AccountGuard } from '../../../apiserver/apis/access/accountGuard.ts'
import type { Platform } from '../../../apiserver/apis/management/platform.ts'
import { platformKinds } from '../../../apiserver/apis/management/platformKinds.ts'
import { managementResources } from '../../../apiserver/apis/management/resources.ts'
import { PlaneAccess } from '../../../apiserver/apis/planeAccess.ts'
import { defaultNames, managementGroup } from '../../../apiserver/meta/names/namesProfile.ts'
import type { PlatformConfig } from '../../../apiserver/platformConfig/platformConfig.ts'
import type { ResourceDefinition } from '../../../apiserver/registry/resource.ts'
import { FakeRandom } from '../fakes/fakeRandom.ts'

/** Definitions of all kinds of the management group; their platform must not be called. */
export function managementKinds(): ResourceDefinition[] {
  const access = new PlaneAccess()
  // Creating kinds does not call the platform.
  const platform = { names: defaultNames, access } as unknown as Platform
  const config = {} as unknown as PlatformConfig
  return [
    ...Object.values<ResourceDefinition>({
      ...platformKinds(platform, {} as unknown as AccountGuard),
    }),
    ...Object.values<ResourceDefinition>({
      ...managementResources(defaultNames, new FakeRandom(), access, { config, maxAccessKeys: 1 }),
    }),
  ].filter(({ group }) => group === managementGroup(defaultNames))
}
