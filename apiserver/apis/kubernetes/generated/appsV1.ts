/* Written by hack/update-kubernetes-types.sh; not to be edited. */
// prettier-ignore
export const appsV1 = `
=DaemonSetUpdateStrategyType ["OnDelete","RollingUpdate"]
=DeploymentStrategyType ["Recreate","RollingUpdate"]
=PodManagementPolicyType ["OrderedReady","Parallel"]
=StatefulSetUpdateStrategyType ["OnDelete","Recreate","RollingUpdate"]
ControllerRevision kind:string? apiVersion:string? metadata:ObjectMeta+ data:RawExtension! revision:int64+
ControllerRevisionList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]ControllerRevision!+
DaemonSet kind:string? apiVersion:string? metadata:ObjectMeta+ spec:DaemonSetSpec!+ status:DaemonSetStatus+
DaemonSetCondition type:string+ status:string+ lastTransitionTime:Time+ reason:string? message:string?
DaemonSetList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]DaemonSet!+
DaemonSetSpec selector:meta/v1.LabelSelector!- template:core/v1.PodTemplateSpec!+ updateStrategy:DaemonSetUpdateStrategy+ minReadySeconds:int32? revisionHistoryLimit:int32
DaemonSetStatus currentNumberScheduled:int32!+ numberMisscheduled:int32!+ desiredNumberScheduled:int32!+ numberReady:int32!+ observedGeneration:int64? updatedNumberScheduled:int32? numberAvailable:int32? numberUnavailable:int32? collisionCount:int32 conditions:[]DaemonSetCondition?|l=map:type|p=merge:type
DaemonSetUpdateStrategy type:string?|e=DaemonSetUpdateStrategyType rollingUpdate:RollingUpdateDaemonSet
Deployment kind:string? apiVersion:string? metadata:ObjectMeta+ spec:DeploymentSpec!+ status:DeploymentStatus+
DeploymentCondition type:string+ status:string+ lastUpdateTime:Time+ lastTransitionTime:Time+ reason:string? message:string?
DeploymentList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]Deployment!+
DeploymentSpec replicas:int32 selector:meta/v1.LabelSelector!- template:core/v1.PodTemplateSpec!+ strategy:DeploymentStrategy+|p=retainKeys minReadySeconds:int32? revisionHistoryLimit:int32 paused:bool? progressDeadlineSeconds:int32
DeploymentStatus observedGeneration:int64? replicas:int32? updatedReplicas:int32? readyReplicas:int32? availableReplicas:int32? unavailableReplicas:int32? terminatingReplicas:int32 conditions:[]DeploymentCondition?|l=map:type|p=merge:type collisionCount:int32
DeploymentStrategy type:string?|e=DeploymentStrategyType rollingUpdate:RollingUpdateDeployment
ReplicaSet kind:string? apiVersion:string? metadata:ObjectMeta+ spec:ReplicaSetSpec!+ status:ReplicaSetStatus+
ReplicaSetCondition type:string+ status:string+ lastTransitionTime:Time+ reason:string? message:string?
ReplicaSetList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]ReplicaSet!+
ReplicaSetSpec replicas:int32 minReadySeconds:int32? selector:meta/v1.LabelSelector!- template:core/v1.PodTemplateSpec+
ReplicaSetStatus replicas:int32!+ fullyLabeledReplicas:int32? readyReplicas:int32? availableReplicas:int32? terminatingReplicas:int32 observedGeneration:int64? conditions:[]ReplicaSetCondition?|l=map:type|p=merge:type
RollingUpdateDaemonSet maxUnavailable:IntOrString maxSurge:IntOrString
RollingUpdateDeployment maxUnavailable:IntOrString maxSurge:IntOrString
RollingUpdateStatefulSetStrategy partition:int32 maxUnavailable:IntOrString|g=MaxUnavailableStatefulSet
StatefulSet kind:string? apiVersion:string? metadata:ObjectMeta+ spec:StatefulSetSpec!+ status:StatefulSetStatus+
StatefulSetCondition type:string+ status:string+ lastTransitionTime:Time+ reason:string? message:string?
StatefulSetList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]StatefulSet!+
StatefulSetOrdinals start:int32+
StatefulSetPersistentVolumeClaimRetentionPolicy whenDeleted:string? whenScaled:string?
StatefulSetSpec replicas:int32 selector:meta/v1.LabelSelector!- template:core/v1.PodTemplateSpec!+ volumeClaimTemplates:[]core/v1.PersistentVolumeClaim?|l=atomic serviceName:string+ podManagementPolicy:string?|e=PodManagementPolicyType updateStrategy:StatefulSetUpdateStrategy+ revisionHistoryLimit:int32 minReadySeconds:int32? persistentVolumeClaimRetentionPolicy:StatefulSetPersistentVolumeClaimRetentionPolicy ordinals:StatefulSetOrdinals
StatefulSetStatus observedGeneration:int64? replicas:int32!+ readyReplicas:int32? currentReplicas:int32? updatedReplicas:int32? currentRevision:string? updateRevision:string? collisionCount:int32 conditions:[]StatefulSetCondition?|l=map:type|p=merge:type availableReplicas:int32+
StatefulSetUpdateStrategy type:string?|e=StatefulSetUpdateStrategyType rollingUpdate:RollingUpdateStatefulSetStrategy
`
