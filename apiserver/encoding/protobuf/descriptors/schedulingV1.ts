/* Written by hack/update-kubernetes-proto.sh; not to be edited. */
// prettier-ignore
export const descriptor = {
  imports: ["meta/v1"],
  messages: `
PriorityClass metadata:1:meta/v1.ObjectMeta value:2:int32! globalDefault:3:bool description:4:string preemptionPolicy:5:*string
PriorityClassList metadata:1:meta/v1.ListMeta items:2:[]PriorityClass!
`,
}
