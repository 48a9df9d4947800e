/* Written by hack/update-kubernetes-proto.sh; not to be edited. */
// prettier-ignore
export const descriptor = {
  imports: ["meta/v1"],
  messages: `
ApplyConfiguration expression:1:string
AuditAnnotation key:1:string! valueExpression:2:string!
ExpressionWarning fieldRef:2:string! warning:3:string!
JSONPatch expression:1:string
MatchCondition name:1:string! expression:2:string!
MatchResources namespaceSelector:1:*meta/v1.LabelSelector objectSelector:2:*meta/v1.LabelSelector resourceRules:3:[]NamedRuleWithOperations excludeResourceRules:4:[]NamedRuleWithOperations matchPolicy:7:*string
MutatingAdmissionPolicy metadata:1:meta/v1.ObjectMeta spec:2:MutatingAdmissionPolicySpec
MutatingAdmissionPolicyBinding metadata:1:meta/v1.ObjectMeta spec:2:MutatingAdmissionPolicyBindingSpec
MutatingAdmissionPolicyBindingList metadata:1:meta/v1.ListMeta items:2:[]MutatingAdmissionPolicyBinding!
MutatingAdmissionPolicyBindingSpec policyName:1:string paramRef:2:*ParamRef matchResources:3:*MatchResources
MutatingAdmissionPolicyList metadata:1:meta/v1.ListMeta items:2:[]MutatingAdmissionPolicy!
MutatingAdmissionPolicySpec paramKind:1:*ParamKind matchConstraints:2:*MatchResources variables:3:[]Variable mutations:4:[]Mutation failurePolicy:5:*string matchConditions:6:[]MatchCondition reinvocationPolicy:7:string
MutatingWebhook name:1:string! clientConfig:2:WebhookClientConfig! rules:3:[]RuleWithOperations failurePolicy:4:*string matchPolicy:9:*string namespaceSelector:5:*meta/v1.LabelSelector objectSelector:11:*meta/v1.LabelSelector sideEffects:6:*string! timeoutSeconds:7:*int32 admissionReviewVersions:8:[]string! reinvocationPolicy:10:*string matchConditions:12:[]MatchCondition
MutatingWebhookConfiguration metadata:1:meta/v1.ObjectMeta webhooks:2:[]MutatingWebhook
MutatingWebhookConfigurationList metadata:1:meta/v1.ListMeta items:2:[]MutatingWebhookConfiguration!
Mutation patchType:2:string! applyConfiguration:3:*ApplyConfiguration jsonPatch:4:*JSONPatch
NamedRuleWithOperations resourceNames:1:[]string :2:RuleWithOperations
ParamKind apiVersion:1:string kind:2:string
ParamRef name:1:string namespace:2:string selector:3:*meta/v1.LabelSelector parameterNotFoundAction:4:*string
Rule apiGroups:1:[]string apiVersions:2:[]string resources:3:[]string scope:4:*string
RuleWithOperations operations:1:[]string :2:Rule
ServiceReference namespace:1:string! name:2:string! path:3:*string port:4:*int32
TypeChecking expressionWarnings:1:[]ExpressionWarning
ValidatingAdmissionPolicy metadata:1:meta/v1.ObjectMeta spec:2:ValidatingAdmissionPolicySpec status:3:ValidatingAdmissionPolicyStatus
ValidatingAdmissionPolicyBinding metadata:1:meta/v1.ObjectMeta spec:2:ValidatingAdmissionPolicyBindingSpec
ValidatingAdmissionPolicyBindingList metadata:1:meta/v1.ListMeta items:2:[]ValidatingAdmissionPolicyBinding!
ValidatingAdmissionPolicyBindingSpec policyName:1:string paramRef:2:*ParamRef matchResources:3:*MatchResources validationActions:4:[]string
ValidatingAdmissionPolicyList metadata:1:meta/v1.ListMeta items:2:[]ValidatingAdmissionPolicy!
ValidatingAdmissionPolicySpec paramKind:1:*ParamKind matchConstraints:2:*MatchResources validations:3:[]Validation failurePolicy:4:*string auditAnnotations:5:[]AuditAnnotation matchConditions:6:[]MatchCondition variables:7:[]Variable
ValidatingAdmissionPolicyStatus observedGeneration:1:int64 typeChecking:2:*TypeChecking conditions:3:[]meta/v1.Condition
ValidatingWebhook name:1:string! clientConfig:2:WebhookClientConfig! rules:3:[]RuleWithOperations failurePolicy:4:*string matchPolicy:9:*string namespaceSelector:5:*meta/v1.LabelSelector objectSelector:10:*meta/v1.LabelSelector sideEffects:6:*string! timeoutSeconds:7:*int32 admissionReviewVersions:8:[]string! matchConditions:11:[]MatchCondition
ValidatingWebhookConfiguration metadata:1:meta/v1.ObjectMeta webhooks:2:[]ValidatingWebhook
ValidatingWebhookConfigurationList metadata:1:meta/v1.ListMeta items:2:[]ValidatingWebhookConfiguration!
Validation expression:1:string! message:2:string reason:3:*string messageExpression:4:string
Variable name:1:string! expression:2:string!
WebhookClientConfig url:3:*string service:1:*ServiceReference caBundle:2:bytes
`,
}
