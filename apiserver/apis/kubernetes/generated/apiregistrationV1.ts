/* Written by hack/update-kubernetes-types.sh; not to be edited. */
// prettier-ignore
export const apiregistrationV1 = `
APIService kind:string? apiVersion:string? metadata:ObjectMeta+ spec:APIServiceSpec+ status:APIServiceStatus+
APIServiceCondition type:string!+ status:string!+ lastTransitionTime:Time+ reason:string? message:string?
APIServiceList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]APIService!+
APIServiceSpec service:ServiceReference group:string? version:string? insecureSkipTLSVerify:bool? caBundle:bytes?|l=atomic groupPriorityMinimum:int32!+ versionPriority:int32!+
APIServiceStatus conditions:[]APIServiceCondition?|l=map:type|p=merge:type
ServiceReference namespace:string? name:string? port:int32
`
