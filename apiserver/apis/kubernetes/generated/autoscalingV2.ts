/* Written by hack/update-kubernetes-types.sh; not to be edited. */
// prettier-ignore
export const autoscalingV2 = `
ContainerResourceMetricSource name:string!+ target:MetricTarget!+ container:string!+
ContainerResourceMetricStatus name:string!+ current:MetricValueStatus!+ container:string!+
CrossVersionObjectReference kind:string!+ name:string!+ apiVersion:string?
ExternalMetricSource metric:MetricIdentifier!+ target:MetricTarget!+
ExternalMetricStatus metric:MetricIdentifier!+ current:MetricValueStatus!+
HPAScalingPolicy type:string!+ value:int32!+ periodSeconds:int32!+
HPAScalingRules stabilizationWindowSeconds:int32 selectPolicy:string policies:[]HPAScalingPolicy?|l=atomic tolerance:Quantity|g=HPAConfigurableTolerance
HorizontalPodAutoscaler kind:string? apiVersion:string? metadata:ObjectMeta+ spec:HorizontalPodAutoscalerSpec!+ status:HorizontalPodAutoscalerStatus+
HorizontalPodAutoscalerBehavior scaleUp:HPAScalingRules scaleDown:HPAScalingRules
HorizontalPodAutoscalerCondition type:string!+ status:string!+ lastTransitionTime:Time+ reason:string? message:string? observedGeneration:int64
HorizontalPodAutoscalerList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]HorizontalPodAutoscaler!+
HorizontalPodAutoscalerSpec scaleTargetRef:CrossVersionObjectReference!+ minReplicas:int32 maxReplicas:int32!+ metrics:[]MetricSpec?|l=atomic behavior:HorizontalPodAutoscalerBehavior
HorizontalPodAutoscalerStatus observedGeneration:int64 lastScaleTime:Time currentReplicas:int32? desiredReplicas:int32!+ currentMetrics:[]MetricStatus+|l=atomic conditions:[]HorizontalPodAutoscalerCondition?|l=map:type|p=merge:type
MetricIdentifier name:string!+ selector:meta/v1.LabelSelector
MetricSpec type:string!+ object:ObjectMetricSource pods:PodsMetricSource resource:ResourceMetricSource containerResource:ContainerResourceMetricSource external:ExternalMetricSource
MetricStatus type:string!+ object:ObjectMetricStatus pods:PodsMetricStatus resource:ResourceMetricStatus containerResource:ContainerResourceMetricStatus external:ExternalMetricStatus
MetricTarget type:string!+ value:Quantity averageValue:Quantity averageUtilization:int32
MetricValueStatus value:Quantity averageValue:Quantity averageUtilization:int32
ObjectMetricSource describedObject:CrossVersionObjectReference!+ target:MetricTarget!+ metric:MetricIdentifier!+
ObjectMetricStatus metric:MetricIdentifier!+ current:MetricValueStatus!+ describedObject:CrossVersionObjectReference!+
PodsMetricSource metric:MetricIdentifier!+ target:MetricTarget!+
PodsMetricStatus metric:MetricIdentifier!+ current:MetricValueStatus!+
ResourceMetricSource name:string!+ target:MetricTarget!+
ResourceMetricStatus name:string!+ current:MetricValueStatus!+
`
