/* Written by hack/update-kubernetes-types.sh; not to be edited. */
// prettier-ignore
export const schedulingV1 = `
PriorityClass kind:string? apiVersion:string? metadata:ObjectMeta+ value:int32+ globalDefault:bool? description:string? preemptionPolicy:string|e=core/v1.PreemptionPolicy
PriorityClassList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]PriorityClass!+
`
