/* Written by hack/update-kubernetes-types.sh; not to be edited. */
// prettier-ignore
export const networkingV1 = `
HTTPIngressPath path:string? pathType:string!- backend:IngressBackend!+
HTTPIngressRuleValue paths:[]HTTPIngressPath!+|l=atomic
IPBlock cidr:string!+ except:[]string?|l=atomic
Ingress kind:string? apiVersion:string? metadata:ObjectMeta+ spec:IngressSpec+ status:IngressStatus+
IngressBackend service:IngressServiceBackend resource:core/v1.TypedLocalObjectReference
IngressClass kind:string? apiVersion:string? metadata:ObjectMeta+ spec:IngressClassSpec+
IngressClassParametersReference apiGroup:string kind:string!+ name:string!+ scope:string- namespace:string
IngressClassSpec controller:string? parameters:IngressClassParametersReference
IngressLoadBalancerIngress ip:string? hostname:string? ports:[]IngressPortStatus?|l=atomic
IngressLoadBalancerStatus ingress:[]IngressLoadBalancerIngress?|l=atomic
IngressPortStatus port:int32!+ protocol:string!+ error:string
IngressRule host:string? http:HTTPIngressRuleValue
IngressServiceBackend name:string!+ port:ServiceBackendPort+
IngressSpec ingressClassName:string defaultBackend:IngressBackend tls:[]IngressTLS?|l=atomic rules:[]IngressRule?|l=atomic
IngressStatus loadBalancer:IngressLoadBalancerStatus+
IngressTLS hosts:[]string?|l=atomic secretName:string?
NetworkPolicy kind:string? apiVersion:string? metadata:ObjectMeta+ spec:NetworkPolicySpec+
NetworkPolicyEgressRule ports:[]NetworkPolicyPort?|l=atomic to:[]NetworkPolicyPeer?|l=atomic
NetworkPolicyIngressRule ports:[]NetworkPolicyPort?|l=atomic from:[]NetworkPolicyPeer?|l=atomic
NetworkPolicyPeer podSelector:meta/v1.LabelSelector namespaceSelector:meta/v1.LabelSelector ipBlock:IPBlock
NetworkPolicyPort protocol:string port:IntOrString endPort:int32
NetworkPolicySpec podSelector:meta/v1.LabelSelector+ ingress:[]NetworkPolicyIngressRule?|l=atomic egress:[]NetworkPolicyEgressRule?|l=atomic policyTypes:[]string?|l=atomic
ServiceBackendPort |m=atomic name:string? number:int32?
`
