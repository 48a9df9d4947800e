/* Written by hack/update-kubernetes-types.sh; not to be edited. */
// prettier-ignore
export const nodeV1 = `
Overhead podFixed:{}Quantity?
RuntimeClass kind:string? apiVersion:string? metadata:ObjectMeta+ handler:string!+ overhead:Overhead scheduling:Scheduling
RuntimeClassList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]RuntimeClass!+
Scheduling nodeSelector:{}string?|m=atomic tolerations:[]core/v1.Toleration?|l=atomic
`
