/* Written by hack/update-kubernetes-proto.sh; not to be edited. */
// prettier-ignore
export const descriptor = {
  imports: ["core/v1","meta/v1"],
  messages: `
Overhead podFixed:1:{}Quantity
RuntimeClass metadata:1:meta/v1.ObjectMeta handler:2:string! overhead:3:*Overhead scheduling:4:*Scheduling
RuntimeClassList metadata:1:meta/v1.ListMeta items:2:[]RuntimeClass!
Scheduling nodeSelector:1:{}string tolerations:2:[]core/v1.Toleration
`,
}
