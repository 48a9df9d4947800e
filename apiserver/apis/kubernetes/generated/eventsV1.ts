/* Written by hack/update-kubernetes-types.sh; not to be edited. */
// prettier-ignore
export const eventsV1 = `
Event kind:string? apiVersion:string? metadata:ObjectMeta+ eventTime:MicroTime!+ series:EventSeries reportingController:string? reportingInstance:string? action:string? reason:string? regarding:core/v1.ObjectReference+ related:core/v1.ObjectReference note:string? type:string? deprecatedSource:core/v1.EventSource+ deprecatedFirstTimestamp:Time+ deprecatedLastTimestamp:Time+ deprecatedCount:int32?
EventList kind:string? apiVersion:string? metadata:meta/v1.ListMeta+ items:[]Event!+
EventSeries count:int32!+ lastObservedTime:MicroTime!+
`
