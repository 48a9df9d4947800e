/* Written by hack/update-kubernetes-types.sh; not to be edited. */
// prettier-ignore
export const authorizationV1 = `
FieldSelectorAttributes rawSelector:string? requirements:[]meta/v1.FieldSelectorRequirement?|l=atomic
LabelSelectorAttributes rawSelector:string? requirements:[]meta/v1.LabelSelectorRequirement?|l=atomic
LocalSubjectAccessReview kind:string? apiVersion:string? metadata:ObjectMeta+ spec:SubjectAccessReviewSpec!+ status:SubjectAccessReviewStatus+
NonResourceAttributes path:string? verb:string?
NonResourceRule verbs:[]string!+|l=atomic nonResourceURLs:[]string?|l=atomic
ResourceAttributes namespace:string? verb:string? group:string? version:string? resource:string? subresource:string? name:string? fieldSelector:FieldSelectorAttributes labelSelector:LabelSelectorAttributes
ResourceRule verbs:[]string!+|l=atomic apiGroups:[]string?|l=atomic resources:[]string?|l=atomic resourceNames:[]string?|l=atomic
SelfSubjectAccessReview kind:string? apiVersion:string? metadata:ObjectMeta+ spec:SelfSubjectAccessReviewSpec!+ status:SubjectAccessReviewStatus+
SelfSubjectAccessReviewSpec resourceAttributes:ResourceAttributes nonResourceAttributes:NonResourceAttributes
SelfSubjectRulesReview kind:string? apiVersion:string? metadata:ObjectMeta+ spec:SelfSubjectRulesReviewSpec!+ status:SubjectRulesReviewStatus+
SelfSubjectRulesReviewSpec namespace:string?
SubjectAccessReview kind:string? apiVersion:string? metadata:ObjectMeta+ spec:SubjectAccessReviewSpec!+ status:SubjectAccessReviewStatus+
SubjectAccessReviewSpec resourceAttributes:ResourceAttributes nonResourceAttributes:NonResourceAttributes user:string? groups:[]string?|l=atomic extra:{}[]string? uid:string?
SubjectAccessReviewStatus allowed:bool!+ denied:bool? reason:string? evaluationError:string?
SubjectRulesReviewStatus resourceRules:[]ResourceRule!+|l=atomic nonResourceRules:[]NonResourceRule!+|l=atomic incomplete:bool!+ evaluationError:string?
`
