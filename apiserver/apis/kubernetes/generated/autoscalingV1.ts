/* Written by hack/update-kubernetes-types.sh; not to be edited. */
// prettier-ignore
export const autoscalingV1 = `
CrossVersionObjectReference |m=atomic kind:string!+ name:string!+ apiVersion:string?
HorizontalPodAutoscaler kind:string? apiVersion:string? metadata:ObjectMeta+ spec:HorizontalPodAutoscalerSpec!+ status:HorizontalPodAutoscalerStatus+
HorizontalPodAutoscalerList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]HorizontalPodAutoscaler!+
HorizontalPodAutoscalerSpec scaleTargetRef:CrossVersionObjectReference!+ minReplicas:int32 maxReplicas:int32!+ targetCPUUtilizationPercentage:int32
HorizontalPodAutoscalerStatus observedGeneration:int64 lastScaleTime:Time currentReplicas:int32!+ desiredReplicas:int32!+ currentCPUUtilizationPercentage:int32
Scale kind:string? apiVersion:string? metadata:ObjectMeta+ spec:ScaleSpec+ status:ScaleStatus+
ScaleSpec replicas:int32?|d=0
ScaleStatus replicas:int32!+ selector:string?
`
