/* Written by hack/update-kubernetes-types.sh; not to be edited. */
// prettier-ignore
export const coordinationV1 = `
Lease kind:string? apiVersion:string? metadata:ObjectMeta+ spec:LeaseSpec+
LeaseList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]Lease!+
LeaseSpec holderIdentity:string leaseDurationSeconds:int32 acquireTime:MicroTime renewTime:MicroTime leaseTransitions:int32 strategy:string|g=CoordinatedLeaderElection preferredHolder:string|g=CoordinatedLeaderElection
`
