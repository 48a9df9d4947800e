/* Written by hack/update-kubernetes-proto.sh; not to be edited. */
// prettier-ignore
export const descriptor = {
  imports: ["core/v1","meta/v1"],
  messages: `
HTTPIngressPath path:1:string pathType:3:*string! backend:2:IngressBackend!
HTTPIngressRuleValue paths:1:[]HTTPIngressPath!
IPAddress metadata:1:meta/v1.ObjectMeta spec:2:IPAddressSpec
IPAddressList metadata:1:meta/v1.ListMeta items:2:[]IPAddress!
IPAddressSpec parentRef:1:*ParentReference
IPBlock cidr:1:string! except:2:[]string
Ingress metadata:1:meta/v1.ObjectMeta spec:2:IngressSpec status:3:IngressStatus
IngressBackend service:4:*IngressServiceBackend resource:3:*core/v1.TypedLocalObjectReference
IngressClass metadata:1:meta/v1.ObjectMeta spec:2:IngressClassSpec
IngressClassList metadata:1:meta/v1.ListMeta items:2:[]IngressClass!
IngressClassParametersReference apiGroup:1:*string kind:2:string! name:3:string! scope:4:*string! namespace:5:*string
IngressClassSpec controller:1:string parameters:2:*IngressClassParametersReference
IngressList metadata:1:meta/v1.ListMeta items:2:[]Ingress!
IngressLoadBalancerIngress ip:1:string hostname:2:string ports:4:[]IngressPortStatus
IngressLoadBalancerStatus ingress:1:[]IngressLoadBalancerIngress
IngressPortStatus port:1:int32! protocol:2:string! error:3:*string
IngressRule host:1:string :2:IngressRuleValue
IngressRuleValue http:1:*HTTPIngressRuleValue
IngressServiceBackend name:1:string! port:2:ServiceBackendPort
IngressSpec ingressClassName:4:*string defaultBackend:1:*IngressBackend tls:2:[]IngressTLS rules:3:[]IngressRule
IngressStatus loadBalancer:1:IngressLoadBalancerStatus
IngressTLS hosts:1:[]string secretName:2:string
NetworkPolicy metadata:1:meta/v1.ObjectMeta spec:2:NetworkPolicySpec
NetworkPolicyEgressRule ports:1:[]NetworkPolicyPort to:2:[]NetworkPolicyPeer
NetworkPolicyIngressRule ports:1:[]NetworkPolicyPort from:2:[]NetworkPolicyPeer
NetworkPolicyList metadata:1:meta/v1.ListMeta items:2:[]NetworkPolicy!
NetworkPolicyPeer podSelector:1:*meta/v1.LabelSelector namespaceSelector:2:*meta/v1.LabelSelector ipBlock:3:*IPBlock
NetworkPolicyPort protocol:1:*string port:2:*IntOrString endPort:3:*int32
NetworkPolicySpec podSelector:1:meta/v1.LabelSelector! ingress:2:[]NetworkPolicyIngressRule egress:3:[]NetworkPolicyEgressRule policyTypes:4:[]string
ParentReference group:1:string resource:2:string namespace:3:string name:4:string
ServiceBackendPort name:1:string number:2:int32
ServiceCIDR metadata:1:meta/v1.ObjectMeta spec:2:ServiceCIDRSpec status:3:ServiceCIDRStatus
ServiceCIDRList metadata:1:meta/v1.ListMeta items:2:[]ServiceCIDR!
ServiceCIDRSpec cidrs:1:[]string
ServiceCIDRStatus conditions:1:[]meta/v1.Condition
`,
}
