/* Written by hack/update-kubernetes-types.sh; not to be edited. */
// prettier-ignore
export const authenticationV1 = `
BoundObjectReference kind:string? apiVersion:string? name:string? uid:string?
SelfSubjectReview kind:string? apiVersion:string? metadata:ObjectMeta+ status:SelfSubjectReviewStatus+
SelfSubjectReviewStatus userInfo:UserInfo+
TokenRequest kind:string? apiVersion:string? metadata:ObjectMeta+ spec:TokenRequestSpec+ status:TokenRequestStatus+
TokenRequestSpec audiences:[]string+|l=atomic expirationSeconds:int64- boundObjectRef:BoundObjectReference- attestations:{}[]string?
TokenRequestStatus token:string+ expirationTimestamp:Time+
TokenReview kind:string? apiVersion:string? metadata:ObjectMeta+ spec:TokenReviewSpec!+ status:TokenReviewStatus+
TokenReviewSpec token:string!? audiences:[]string?|l=atomic
TokenReviewStatus authenticated:bool? user:UserInfo+ audiences:[]string?|l=atomic error:string?
UserInfo username:string? uid:string? groups:[]string?|l=atomic extra:{}[]string?
`
