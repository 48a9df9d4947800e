/* Written by hack/update-kubernetes-types.sh; not to be edited. */
// prettier-ignore
export const schedulingV1 = `
PriorityClass kind:string? apiVersion:string? metadata:ObjectMeta+ value:int32+ globalDefault:bool? description:string? preemptionPolicy:string
`
