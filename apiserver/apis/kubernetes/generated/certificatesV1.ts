/* Written by hack/update-kubernetes-types.sh; not to be edited. */
// prettier-ignore
export const certificatesV1 = `
=KeyUsage ["any","cert sign","client auth","code signing","content commitment","crl sign","data encipherment","decipher only","digital signature","email protection","encipher only","ipsec end system","ipsec tunnel","ipsec user","key agreement","key encipherment","microsoft sgc","netscape sgc","ocsp signing","s/mime","server auth","signing","timestamping"]
CertificateSigningRequest kind:string? apiVersion:string? metadata:ObjectMeta+ spec:CertificateSigningRequestSpec!+ status:CertificateSigningRequestStatus+
CertificateSigningRequestCondition type:string!+ status:string!+ reason:string? message:string? lastUpdateTime:Time+ lastTransitionTime:Time+
CertificateSigningRequestList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]CertificateSigningRequest!+
CertificateSigningRequestSpec request:bytes!+ signerName:string!+ expirationSeconds:int32 usages:[]string?|l=atomic|e=KeyUsage username:string? uid:string? groups:[]string?|l=atomic extra:{}[]string?
CertificateSigningRequestStatus conditions:[]CertificateSigningRequestCondition?|l=map:type certificate:bytes?
ClusterTrustBundle kind:string? apiVersion:string? metadata:ObjectMeta+ spec:ClusterTrustBundleSpec!+
ClusterTrustBundleList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]ClusterTrustBundle!+
ClusterTrustBundleSpec signerName:string? trustBundle:string!+
PodCertificateRequest kind:string? apiVersion:string? metadata:ObjectMeta+ spec:PodCertificateRequestSpec!+ status:PodCertificateRequestStatus+
PodCertificateRequestList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]PodCertificateRequest!+
PodCertificateRequestSpec signerName:string!+ podName:string!+ podUID:string!+ serviceAccountName:string!+ serviceAccountUID:string!+ nodeName:string!+ nodeUID:string!+ maxExpirationSeconds:int32|d=86400 stubPKCS10Request:bytes!+ unverifiedUserAnnotations:{}string?
PodCertificateRequestStatus conditions:[]meta/v1.Condition?|l=map:type|p=merge:type certificateChain:string? notBefore:Time beginRefreshAt:Time notAfter:Time
`
