import type { ResourceDefinition } from '../../registry/resource.ts'
import type { AccountGuard } from '../access/accountGuard.ts'
import { withAccountRules } from './users/accountRules.ts'
import { clusterAccessKey, virtualClusterAccessKey } from './accessKeys/agentAccessKey.ts'
import { clusterResource } from './clusters/cluster.ts'
import { directClusterEndpointTokenResource } from './clusters/directClusterEndpointToken.ts'
import type { Platform } from './platform.ts'
import { projectResource } from './projects/project.ts'
import { selfResource } from './users/self.ts'
import { spaceInstanceResource } from './instances/spaceInstance.ts'
import { syncExplanationResource } from './instances/syncExplanation.ts'
import { teamResource } from './users/team.ts'
import { translateNameResource } from './instances/translateVClusterResourceName.ts'
import { identityAnswers } from './users/identityAnswers.ts'
import { userResource } from './users/user.ts'
import { userProfileSubresource } from './users/userProfile.ts'
import { virtualClusterInstanceResource } from './instances/virtualClusterInstance.ts'
import { kubeConfigSubresource } from './instances/virtualClusterKubeConfig.ts'
import {
  spaceTemplateResource,
  virtualClusterTemplateResource,
} from './instances/virtualClusterTemplate.ts'

/** Kinds of the management API that use the running platform. */
export interface PlatformKinds {
  users: ResourceDefinition
  teams: ResourceDefinition
  projects: ResourceDefinition
  clusters: ResourceDefinition
  virtualClusterInstances: ResourceDefinition
  spaceInstances: ResourceDefinition
  virtualClusterTemplates: ResourceDefinition
  spaceTemplates: ResourceDefinition
  selves: ResourceDefinition
  directClusterEndpointTokens: ResourceDefinition
  translateVClusterResourceNames: ResourceDefinition
  virtualClusterSyncExplanations: ResourceDefinition
}

export function platformKinds(platform: Platform, accounts: AccountGuard): PlatformKinds {
  const { names } = platform
  return {
    users: withAccountRules(
      userResource(names, [
        ...identityAnswers(platform, 'users'),
        userProfileSubresource(platform, accounts),
      ]),
      platform,
    ),
    teams: teamResource(platform),
    projects: projectResource(platform),
    clusters: clusterResource(names, [clusterAccessKey(platform)]),
    virtualClusterInstances: virtualClusterInstanceResource(platform, [
      kubeConfigSubresource(platform),
      virtualClusterAccessKey(platform),
    ]),
    spaceInstances: spaceInstanceResource(platform),
    virtualClusterTemplates: virtualClusterTemplateResource(platform),
    spaceTemplates: spaceTemplateResource(names),
    selves: selfResource(platform),
    directClusterEndpointTokens: directClusterEndpointTokenResource(platform),
    translateVClusterResourceNames: translateNameResource(names),
    virtualClusterSyncExplanations: syncExplanationResource(platform),
  }
}
