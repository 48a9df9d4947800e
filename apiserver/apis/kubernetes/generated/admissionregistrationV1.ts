/* Written by hack/update-kubernetes-types.sh; not to be edited. */
// prettier-ignore
export const admissionregistrationV1 = `
AuditAnnotation key:string!+ valueExpression:string!+
ExpressionWarning fieldRef:string!+ warning:string!+
MatchCondition name:string!+ expression:string!+
MatchResources |m=atomic namespaceSelector:meta/v1.LabelSelector objectSelector:meta/v1.LabelSelector resourceRules:[]NamedRuleWithOperations?|l=atomic excludeResourceRules:[]NamedRuleWithOperations?|l=atomic matchPolicy:string
MutatingWebhook name:string!+ clientConfig:WebhookClientConfig!+ rules:[]RuleWithOperations?|l=atomic failurePolicy:string matchPolicy:string namespaceSelector:meta/v1.LabelSelector objectSelector:meta/v1.LabelSelector sideEffects:string!- timeoutSeconds:int32 admissionReviewVersions:[]string!+|l=atomic reinvocationPolicy:string matchConditions:[]MatchCondition?|l=map:name|p=merge:name
MutatingWebhookConfiguration kind:string? apiVersion:string? metadata:ObjectMeta+ webhooks:[]MutatingWebhook?|l=map:name|p=merge:name
NamedRuleWithOperations |m=atomic resourceNames:[]string?|l=atomic operations:[]string?|l=atomic apiGroups:[]string?|l=atomic apiVersions:[]string?|l=atomic resources:[]string?|l=atomic scope:string
ParamKind |m=atomic apiVersion:string? kind:string?
ParamRef |m=atomic name:string? namespace:string? selector:meta/v1.LabelSelector parameterNotFoundAction:string
RuleWithOperations operations:[]string?|l=atomic apiGroups:[]string?|l=atomic apiVersions:[]string?|l=atomic resources:[]string?|l=atomic scope:string
ServiceReference namespace:string!+ name:string!+ path:string port:int32
TypeChecking expressionWarnings:[]ExpressionWarning?|l=atomic
ValidatingAdmissionPolicy kind:string? apiVersion:string? metadata:ObjectMeta+ spec:ValidatingAdmissionPolicySpec+ status:ValidatingAdmissionPolicyStatus+
ValidatingAdmissionPolicyBinding kind:string? apiVersion:string? metadata:ObjectMeta+ spec:ValidatingAdmissionPolicyBindingSpec+
ValidatingAdmissionPolicyBindingSpec policyName:string? paramRef:ParamRef matchResources:MatchResources validationActions:[]string?|l=set
ValidatingAdmissionPolicySpec paramKind:ParamKind matchConstraints:MatchResources validations:[]Validation?|l=atomic failurePolicy:string auditAnnotations:[]AuditAnnotation?|l=atomic matchConditions:[]MatchCondition?|l=map:name|p=merge:name variables:[]Variable?|l=map:name|p=merge:name
ValidatingAdmissionPolicyStatus observedGeneration:int64? typeChecking:TypeChecking conditions:[]meta/v1.Condition?|l=map:type
ValidatingWebhook name:string!+ clientConfig:WebhookClientConfig!+ rules:[]RuleWithOperations?|l=atomic failurePolicy:string matchPolicy:string namespaceSelector:meta/v1.LabelSelector objectSelector:meta/v1.LabelSelector sideEffects:string!- timeoutSeconds:int32 admissionReviewVersions:[]string!+|l=atomic matchConditions:[]MatchCondition?|l=map:name|p=merge:name
ValidatingWebhookConfiguration kind:string? apiVersion:string? metadata:ObjectMeta+ webhooks:[]ValidatingWebhook?|l=map:name|p=merge:name
Validation expression:string!+ message:string? reason:string messageExpression:string?
Variable |m=atomic name:string!+ expression:string!+
WebhookClientConfig url:string service:ServiceReference caBundle:bytes?
`
