/* Written by hack/update-kubernetes-proto.sh; not to be edited. */
// prettier-ignore
export const descriptor = {
  imports: ["meta/v1"],
  messages: `
APIService metadata:1:meta/v1.ObjectMeta spec:2:APIServiceSpec status:3:APIServiceStatus
APIServiceCondition type:1:string! status:2:string! lastTransitionTime:3:Time reason:4:string message:5:string
APIServiceList metadata:1:meta/v1.ListMeta items:2:[]APIService!
APIServiceSpec service:1:*ServiceReference group:2:string version:3:string insecureSkipTLSVerify:4:bool caBundle:5:bytes groupPriorityMinimum:7:int32! versionPriority:8:int32!
APIServiceStatus conditions:1:[]APIServiceCondition
ServiceReference namespace:1:string name:2:string port:3:*int32
`,
}
