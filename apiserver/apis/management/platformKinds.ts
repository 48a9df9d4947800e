import type { ResourceDefinition } from '../../registry/resource.ts'
import type { AccountGuard } from '../accountGuard.ts'
import { withAccountRules } from './accountRules.ts'
import { clusterAccessKey, virtualClusterAccessKey } from './agentAccessKey.ts'
import { clusterResource } from './cluster.ts'
import { directClusterEndpointTokenResource } from './directClusterEndpointToken.ts'
import type { Platform } from './platform.ts'
import { projectResource } from './project.ts'
import { selfResource } from './self.ts'
import { spaceInstanceResource } from './spaceInstance.ts'
import { syncExplanationResource } from './syncExplanation.ts'
import { teamResource } from './team.ts'
import { translateNameResource } from './translateVClusterResourceName.ts'
import { identityAnswers } from './identityAnswers.ts'
import { userResource } from './user.ts'
import { userProfileSubresource } from './userProfile.ts'
import { virtualClusterInstanceResource } from './virtualClusterInstance.ts'
import { kubeConfigSubresource } from './virtualClusterKubeConfig.ts'
import { spaceTemplateResource, virtualClusterTemplateResource } from './virtualClusterTemplate.ts'

/** The kinds of the management API that ask the running platform. */
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
    virtualClusterTemplates: virtualClusterTemplateResource(names),
    spaceTemplates: spaceTemplateResource(names),
    selves: selfResource(platform),
    directClusterEndpointTokens: directClusterEndpointTokenResource(platform),
    translateVClusterResourceNames: translateNameResource(names),
    virtualClusterSyncExplanations: syncExplanationResource(platform),
  }
}
