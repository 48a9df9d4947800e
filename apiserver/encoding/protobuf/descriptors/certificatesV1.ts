/* Written by hack/update-kubernetes-proto.sh; not to be edited. */
// prettier-ignore
export const descriptor = {
  imports: ["meta/v1"],
  messages: `
CertificateSigningRequest metadata:1:meta/v1.ObjectMeta spec:2:CertificateSigningRequestSpec! status:3:CertificateSigningRequestStatus
CertificateSigningRequestCondition type:1:string! status:6:string! reason:2:string message:3:string lastUpdateTime:4:Time lastTransitionTime:5:Time
CertificateSigningRequestList metadata:1:meta/v1.ListMeta items:2:[]CertificateSigningRequest!
CertificateSigningRequestSpec request:1:bytes! signerName:7:string! expirationSeconds:8:*int32 usages:5:[]string username:2:string uid:3:string groups:4:[]string extra:6:{}StringList
CertificateSigningRequestStatus conditions:1:[]CertificateSigningRequestCondition certificate:2:bytes
ClusterTrustBundle metadata:1:meta/v1.ObjectMeta spec:2:ClusterTrustBundleSpec!
ClusterTrustBundleList metadata:1:meta/v1.ListMeta items:2:[]ClusterTrustBundle!
ClusterTrustBundleSpec signerName:1:string trustBundle:2:string!
PodCertificateRequest metadata:1:meta/v1.ObjectMeta spec:2:PodCertificateRequestSpec! status:3:PodCertificateRequestStatus
PodCertificateRequestList metadata:1:meta/v1.ListMeta items:2:[]PodCertificateRequest!
PodCertificateRequestSpec signerName:1:string! podName:2:string! podUID:3:string! serviceAccountName:4:string! serviceAccountUID:5:string! nodeName:6:string! nodeUID:7:string! maxExpirationSeconds:8:*int32 stubPKCS10Request:12:bytes! unverifiedUserAnnotations:11:{}string
PodCertificateRequestStatus conditions:1:[]meta/v1.Condition certificateChain:2:string notBefore:4:*Time beginRefreshAt:5:*Time notAfter:6:*Time
`,
}
