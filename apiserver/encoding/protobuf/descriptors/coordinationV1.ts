/* Written by hack/update-kubernetes-proto.sh; not to be edited. */
// prettier-ignore
export const descriptor = {
  imports: ["meta/v1"],
  messages: `
Lease metadata:1:meta/v1.ObjectMeta spec:2:LeaseSpec
LeaseList metadata:1:meta/v1.ListMeta items:2:[]Lease!
LeaseSpec holderIdentity:1:*string leaseDurationSeconds:2:*int32 acquireTime:3:*MicroTime renewTime:4:*MicroTime leaseTransitions:5:*int32 strategy:6:*string preferredHolder:7:*string
`,
}
