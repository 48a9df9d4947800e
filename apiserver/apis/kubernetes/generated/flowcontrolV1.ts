/* Written by hack/update-kubernetes-types.sh; not to be edited. */
// prettier-ignore
export const flowcontrolV1 = `
ExemptPriorityLevelConfiguration nominalConcurrencyShares:int32 lendablePercent:int32
FlowDistinguisherMethod type:string!+
FlowSchema kind:string? apiVersion:string? metadata:ObjectMeta+ spec:FlowSchemaSpec!+ status:FlowSchemaStatus+
FlowSchemaCondition type:string!? status:string? lastTransitionTime:Time+ reason:string? message:string?
FlowSchemaList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]FlowSchema!+
FlowSchemaSpec priorityLevelConfiguration:PriorityLevelConfigurationReference!+ matchingPrecedence:int32+ distinguisherMethod:FlowDistinguisherMethod rules:[]PolicyRulesWithSubjects?|l=atomic
FlowSchemaStatus conditions:[]FlowSchemaCondition?|l=map:type|p=merge:type
GroupSubject name:string!+
LimitResponse |u={"discriminator":"type","fields-to-discriminateBy":{"queuing":"Queuing"}} type:string!+ queuing:QueuingConfiguration
LimitedPriorityLevelConfiguration nominalConcurrencyShares:int32- limitResponse:LimitResponse!+ lendablePercent:int32 borrowingLimitPercent:int32
NonResourcePolicyRule verbs:[]string!+|l=set nonResourceURLs:[]string!+|l=set
PolicyRulesWithSubjects subjects:[]Subject!+|l=atomic resourceRules:[]ResourcePolicyRule?|l=atomic nonResourceRules:[]NonResourcePolicyRule?|l=atomic
PriorityLevelConfiguration kind:string? apiVersion:string? metadata:ObjectMeta+ spec:PriorityLevelConfigurationSpec!+ status:PriorityLevelConfigurationStatus+
PriorityLevelConfigurationCondition type:string!? status:string? lastTransitionTime:Time+ reason:string? message:string?
PriorityLevelConfigurationList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]PriorityLevelConfiguration!+
PriorityLevelConfigurationReference name:string!+
PriorityLevelConfigurationSpec |u={"discriminator":"type","fields-to-discriminateBy":{"exempt":"Exempt","limited":"Limited"}} type:string!+ limited:LimitedPriorityLevelConfiguration exempt:ExemptPriorityLevelConfiguration
PriorityLevelConfigurationStatus conditions:[]PriorityLevelConfigurationCondition?|l=map:type|p=merge:type
QueuingConfiguration queues:int32+ handSize:int32+ queueLengthLimit:int32+
ResourcePolicyRule verbs:[]string!+|l=set apiGroups:[]string!+|l=set resources:[]string!+|l=set clusterScope:bool? namespaces:[]string+|l=set
ServiceAccountSubject namespace:string!+ name:string!+
Subject |u={"discriminator":"kind","fields-to-discriminateBy":{"group":"Group","serviceAccount":"ServiceAccount","user":"User"}} kind:string!+ user:UserSubject group:GroupSubject serviceAccount:ServiceAccountSubject
UserSubject name:string!+
`
