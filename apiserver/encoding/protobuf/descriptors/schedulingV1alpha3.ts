/* Written by hack/update-kubernetes-proto.sh; not to be edited. */
// prettier-ignore
export const descriptor = {
  imports: [],
  messages: `
TopologyConstraint key:1:string!
WorkloadPodGroupAllDisruptionMode
WorkloadPodGroupBasicSchedulingPolicy
WorkloadPodGroupDisruptionMode single:1:*WorkloadPodGroupSingleDisruptionMode all:2:*WorkloadPodGroupAllDisruptionMode
WorkloadPodGroupGangSchedulingPolicy minCount:1:*int32
WorkloadPodGroupResourceClaim name:1:string! resourceClaimName:2:*string resourceClaimTemplateName:3:*string
WorkloadPodGroupSchedulingConstraints topology:1:[]TopologyConstraint
WorkloadPodGroupSchedulingPolicy basic:1:*WorkloadPodGroupBasicSchedulingPolicy gang:2:*WorkloadPodGroupGangSchedulingPolicy
WorkloadPodGroupSingleDisruptionMode
`,
}
