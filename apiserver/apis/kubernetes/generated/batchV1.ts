/* Written by hack/update-kubernetes-types.sh; not to be edited. */
// prettier-ignore
export const batchV1 = `
=CompletionMode ["Indexed","NonIndexed"]
=ConcurrencyPolicy ["Allow","Forbid","Replace"]
=PodFailurePolicyAction ["Count","FailIndex","FailJob","Ignore"]
=PodFailurePolicyOnExitCodesOperator ["In","NotIn"]
=PodReplacementPolicy ["Failed","TerminatingOrFailed"]
CronJob kind:string? apiVersion:string? metadata:ObjectMeta+ spec:CronJobSpec!+ status:CronJobStatus+
CronJobList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]CronJob!+
CronJobSpec schedule:string!+ timeZone:string startingDeadlineSeconds:int64 concurrencyPolicy:string?|e=ConcurrencyPolicy suspend:bool jobTemplate:JobTemplateSpec!+ successfulJobsHistoryLimit:int32 failedJobsHistoryLimit:int32
CronJobStatus active:[]core/v1.ObjectReference?|l=atomic lastScheduleTime:Time lastSuccessfulTime:Time
Job kind:string? apiVersion:string? metadata:ObjectMeta+ spec:JobSpec+ status:JobStatus+
JobCondition type:string!+ status:string!+ lastProbeTime:Time+ lastTransitionTime:Time+ reason:string? message:string?
JobList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]Job!+
JobSchedulingConfiguration schedulingPolicy:scheduling/v1alpha3.WorkloadPodGroupSchedulingPolicy schedulingConstraints:scheduling/v1alpha3.WorkloadPodGroupSchedulingConstraints disruptionMode:scheduling/v1alpha3.WorkloadPodGroupDisruptionMode resourceClaims:[]scheduling/v1alpha3.WorkloadPodGroupResourceClaim?|l=map:name|p=merge:name
JobSpec parallelism:int32 completions:int32 activeDeadlineSeconds:int64 podFailurePolicy:PodFailurePolicy successPolicy:SuccessPolicy backoffLimit:int32 backoffLimitPerIndex:int32 maxFailedIndexes:int32 selector:meta/v1.LabelSelector manualSelector:bool template:core/v1.PodTemplateSpec!+ ttlSecondsAfterFinished:int32 completionMode:string|e=CompletionMode suspend:bool podReplacementPolicy:string|e=PodReplacementPolicy managedBy:string scheduling:JobSchedulingConfiguration|g=WorkloadWithJob
JobStatus conditions:[]JobCondition?|l=atomic|p=merge:type startTime:Time completionTime:Time active:int32? succeeded:int32? failed:int32? terminating:int32 completedIndexes:string? failedIndexes:string uncountedTerminatedPods:UncountedTerminatedPods ready:int32
JobTemplateSpec metadata:ObjectMeta+ spec:JobSpec+
PodFailurePolicy rules:[]PodFailurePolicyRule!+|l=atomic
PodFailurePolicyOnExitCodesRequirement containerName:string operator:string!+|e=PodFailurePolicyOnExitCodesOperator values:[]int32!+|l=set
PodFailurePolicyOnPodConditionsPattern type:string!+ status:string+
PodFailurePolicyRule action:string!+|e=PodFailurePolicyAction onExitCodes:PodFailurePolicyOnExitCodesRequirement onPodConditions:[]PodFailurePolicyOnPodConditionsPattern?|l=atomic
SuccessPolicy rules:[]SuccessPolicyRule!+|l=atomic
SuccessPolicyRule succeededIndexes:string succeededCount:int32
UncountedTerminatedPods succeeded:[]string?|l=set failed:[]string?|l=set
`
