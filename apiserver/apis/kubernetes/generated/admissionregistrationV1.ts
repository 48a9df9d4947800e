/* Written by hack/update-kubernetes-types.sh; not to be edited. */
// prettier-ignore
export const admissionregistrationV1 = `
=FailurePolicyType ["Fail","Ignore"]
=MatchPolicyType ["Equivalent","Exact"]
=OperationType ["*","CONNECT","CREATE","DELETE","UPDATE"]
=PatchType ["ApplyConfiguration","JSONPatch"]
=ReinvocationPolicyType ["IfNeeded","Never"]
=ScopeType ["*","Cluster","Namespaced"]
=SideEffectClass ["None","NoneOnDryRun","Some","Unknown"]
=ValidationAction ["Audit","Deny","Warn"]
ApplyConfiguration expression:string?
AuditAnnotation key:string!+ valueExpression:string!+
ExpressionWarning fieldRef:string!+ warning:string!+
JSONPatch expression:string?
MatchCondition name:string!+ expression:string!+
MatchResources |m=atomic namespaceSelector:meta/v1.LabelSelector objectSelector:meta/v1.LabelSelector resourceRules:[]NamedRuleWithOperations?|l=atomic excludeResourceRules:[]NamedRuleWithOperations?|l=atomic matchPolicy:string|e=MatchPolicyType
MutatingAdmissionPolicy kind:string? apiVersion:string? metadata:ObjectMeta+ spec:MutatingAdmissionPolicySpec+
MutatingAdmissionPolicyBinding kind:string? apiVersion:string? metadata:ObjectMeta+ spec:MutatingAdmissionPolicyBindingSpec+
MutatingAdmissionPolicyBindingList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]MutatingAdmissionPolicyBinding!+
MutatingAdmissionPolicyBindingSpec policyName:string? paramRef:ParamRef matchResources:MatchResources
MutatingAdmissionPolicyList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]MutatingAdmissionPolicy!+
MutatingAdmissionPolicySpec paramKind:ParamKind matchConstraints:MatchResources variables:[]Variable?|l=atomic mutations:[]Mutation?|l=atomic failurePolicy:string|e=FailurePolicyType matchConditions:[]MatchCondition?|l=map:name|p=merge:name reinvocationPolicy:string?|e=ReinvocationPolicyType
MutatingWebhook name:string!+ clientConfig:WebhookClientConfig!+ rules:[]RuleWithOperations?|l=atomic failurePolicy:string|e=FailurePolicyType matchPolicy:string|e=MatchPolicyType namespaceSelector:meta/v1.LabelSelector objectSelector:meta/v1.LabelSelector sideEffects:string!-|e=SideEffectClass timeoutSeconds:int32 admissionReviewVersions:[]string!+|l=atomic reinvocationPolicy:string|e=ReinvocationPolicyType matchConditions:[]MatchCondition?|l=map:name|p=merge:name
MutatingWebhookConfiguration kind:string? apiVersion:string? metadata:ObjectMeta+ webhooks:[]MutatingWebhook?|l=map:name|p=merge:name
MutatingWebhookConfigurationList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]MutatingWebhookConfiguration!+
Mutation patchType:string!+|e=PatchType applyConfiguration:ApplyConfiguration jsonPatch:JSONPatch
NamedRuleWithOperations |m=atomic resourceNames:[]string?|l=atomic operations:[]string?|l=atomic|e=OperationType apiGroups:[]string?|l=atomic apiVersions:[]string?|l=atomic resources:[]string?|l=atomic scope:string|e=ScopeType
ParamKind |m=atomic apiVersion:string? kind:string?
ParamRef |m=atomic name:string? namespace:string? selector:meta/v1.LabelSelector parameterNotFoundAction:string
RuleWithOperations operations:[]string?|l=atomic|e=OperationType apiGroups:[]string?|l=atomic apiVersions:[]string?|l=atomic resources:[]string?|l=atomic scope:string|e=ScopeType
ServiceReference namespace:string!+ name:string!+ path:string port:int32
TypeChecking expressionWarnings:[]ExpressionWarning?|l=atomic
ValidatingAdmissionPolicy kind:string? apiVersion:string? metadata:ObjectMeta+ spec:ValidatingAdmissionPolicySpec+ status:ValidatingAdmissionPolicyStatus+
ValidatingAdmissionPolicyBinding kind:string? apiVersion:string? metadata:ObjectMeta+ spec:ValidatingAdmissionPolicyBindingSpec!+
ValidatingAdmissionPolicyBindingList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]ValidatingAdmissionPolicyBinding!+
ValidatingAdmissionPolicyBindingSpec policyName:string!? paramRef:ParamRef matchResources:MatchResources validationActions:[]string!?|l=set|e=ValidationAction
ValidatingAdmissionPolicyList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]ValidatingAdmissionPolicy!+
ValidatingAdmissionPolicySpec paramKind:ParamKind matchConstraints:MatchResources validations:[]Validation?|l=atomic failurePolicy:string|e=FailurePolicyType auditAnnotations:[]AuditAnnotation?|l=atomic matchConditions:[]MatchCondition?|l=map:name|p=merge:name variables:[]Variable?|l=map:name|p=merge:name
ValidatingAdmissionPolicyStatus observedGeneration:int64? typeChecking:TypeChecking conditions:[]meta/v1.Condition?|l=map:type
ValidatingWebhook name:string!+ clientConfig:WebhookClientConfig!+ rules:[]RuleWithOperations?|l=atomic failurePolicy:string|e=FailurePolicyType matchPolicy:string|e=MatchPolicyType namespaceSelector:meta/v1.LabelSelector objectSelector:meta/v1.LabelSelector sideEffects:string!-|e=SideEffectClass timeoutSeconds:int32 admissionReviewVersions:[]string!+|l=atomic matchConditions:[]MatchCondition?|l=map:name|p=merge:name
ValidatingWebhookConfiguration kind:string? apiVersion:string? metadata:ObjectMeta+ webhooks:[]ValidatingWebhook?|l=map:name|p=merge:name
ValidatingWebhookConfigurationList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]ValidatingWebhookConfiguration!+
Validation expression:string!+ message:string? reason:string messageExpression:string?
Variable |m=atomic name:string!+ expression:string!+
WebhookClientConfig url:string service:ServiceReference caBundle:bytes?
`
