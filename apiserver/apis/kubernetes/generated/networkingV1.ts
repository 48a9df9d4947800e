/* Written by hack/update-kubernetes-types.sh; not to be edited. */
// prettier-ignore
export const networkingV1 = `
=PathType ["Exact","ImplementationSpecific","Prefix"]
=PolicyType ["Egress","Ingress"]
HTTPIngressPath path:string? pathType:string!-|e=PathType backend:IngressBackend!+
HTTPIngressRuleValue paths:[]HTTPIngressPath!+|l=atomic
IPAddress kind:string? apiVersion:string? metadata:ObjectMeta+ spec:IPAddressSpec!+
IPAddressList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]IPAddress!+
IPAddressSpec parentRef:ParentReference!
IPBlock cidr:string!+ except:[]string?|l=atomic
Ingress kind:string? apiVersion:string? metadata:ObjectMeta+ spec:IngressSpec+ status:IngressStatus+
IngressBackend service:IngressServiceBackend resource:core/v1.TypedLocalObjectReference
IngressClass kind:string? apiVersion:string? metadata:ObjectMeta+ spec:IngressClassSpec+
IngressClassList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]IngressClass!+
IngressClassParametersReference apiGroup:string kind:string!+ name:string!+ scope:string- namespace:string
IngressClassSpec controller:string? parameters:IngressClassParametersReference
IngressList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]Ingress!+
IngressLoadBalancerIngress ip:string? hostname:string? ports:[]IngressPortStatus?|l=atomic
IngressLoadBalancerStatus ingress:[]IngressLoadBalancerIngress?|l=atomic
IngressPortStatus port:int32!+ protocol:string!+|e=core/v1.Protocol error:string
IngressRule host:string? http:HTTPIngressRuleValue
IngressServiceBackend name:string!+ port:ServiceBackendPort+
IngressSpec ingressClassName:string defaultBackend:IngressBackend tls:[]IngressTLS?|l=atomic rules:[]IngressRule?|l=atomic
IngressStatus loadBalancer:IngressLoadBalancerStatus+
IngressTLS hosts:[]string?|l=atomic secretName:string?
NetworkPolicy kind:string? apiVersion:string? metadata:ObjectMeta+ spec:NetworkPolicySpec+
NetworkPolicyEgressRule ports:[]NetworkPolicyPort?|l=atomic to:[]NetworkPolicyPeer?|l=atomic
NetworkPolicyIngressRule ports:[]NetworkPolicyPort?|l=atomic from:[]NetworkPolicyPeer?|l=atomic
NetworkPolicyList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]NetworkPolicy!+
NetworkPolicyPeer podSelector:meta/v1.LabelSelector namespaceSelector:meta/v1.LabelSelector ipBlock:IPBlock
NetworkPolicyPort protocol:string|e=core/v1.Protocol port:IntOrString endPort:int32
NetworkPolicySpec podSelector:meta/v1.LabelSelector+ ingress:[]NetworkPolicyIngressRule?|l=atomic egress:[]NetworkPolicyEgressRule?|l=atomic policyTypes:[]string?|l=atomic|e=PolicyType
ParentReference group:string? resource:string!? namespace:string? name:string!?
ServiceBackendPort |m=atomic name:string? number:int32?
ServiceCIDR kind:string? apiVersion:string? metadata:ObjectMeta+ spec:ServiceCIDRSpec+ status:ServiceCIDRStatus+
ServiceCIDRList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]ServiceCIDR!+
ServiceCIDRSpec cidrs:[]string?|l=atomic
ServiceCIDRStatus conditions:[]meta/v1.Condition?|l=map:type|p=merge:type
`
