/* Written by hack/update-kubernetes-types.sh; not to be edited. */
// prettier-ignore
export const schedulingV1alpha3 = `
TopologyConstraint key:string!+
WorkloadPodGroupAllDisruptionMode 
WorkloadPodGroupBasicSchedulingPolicy 
WorkloadPodGroupDisruptionMode |u={"fields-to-discriminateBy":{"all":"All","single":"Single"}} single:WorkloadPodGroupSingleDisruptionMode all:WorkloadPodGroupAllDisruptionMode
WorkloadPodGroupGangSchedulingPolicy minCount:int32
WorkloadPodGroupResourceClaim name:string!+ resourceClaimName:string resourceClaimTemplateName:string
WorkloadPodGroupSchedulingConstraints topology:[]TopologyConstraint?|l=atomic
WorkloadPodGroupSchedulingPolicy |u={"fields-to-discriminateBy":{"basic":"Basic","gang":"Gang"}} basic:WorkloadPodGroupBasicSchedulingPolicy gang:WorkloadPodGroupGangSchedulingPolicy
WorkloadPodGroupSingleDisruptionMode 
`
