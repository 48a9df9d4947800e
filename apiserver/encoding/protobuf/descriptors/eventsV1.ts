/* Written by hack/update-kubernetes-proto.sh; not to be edited. */
// prettier-ignore
export const descriptor = {
  imports: ["core/v1","meta/v1"],
  messages: `
Event metadata:1:meta/v1.ObjectMeta! eventTime:2:MicroTime! series:3:*EventSeries reportingController:4:string reportingInstance:5:string action:6:string reason:7:string regarding:8:core/v1.ObjectReference related:9:*core/v1.ObjectReference note:10:string type:11:string deprecatedSource:12:core/v1.EventSource deprecatedFirstTimestamp:13:Time deprecatedLastTimestamp:14:Time deprecatedCount:15:int32
EventList metadata:1:meta/v1.ListMeta items:2:[]Event!
EventSeries count:1:int32! lastObservedTime:2:MicroTime!
`,
}
