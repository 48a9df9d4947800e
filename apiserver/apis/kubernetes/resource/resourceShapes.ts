import type { ApiObject } from '../../../meta/types.ts'
import type { MetaCondition } from '../metaConditions.ts'
import type { NodeSelectorTerm } from '../core/pod/podTypes.ts'

/** Parts of the device kinds that rules read. Source: Kubernetes API reference, resource.k8s.io v1. */

export interface DeviceSelector {
  cel?: { expression?: string }
}

export interface DeviceConfiguration {
  requests?: string[]
  source?: string
  opaque?: { driver?: string; parameters?: unknown }
}

export interface DeviceToleration {
  key?: string
  operator?: string
  value?: string
  effect?: string
}

/** A request for devices, or one of its alternatives. */
export interface DeviceRequestPart {
  name?: string
  deviceClassName?: string
  selectors?: DeviceSelector[]
  allocationMode?: string
  count?: number
  adminAccess?: boolean
  tolerations?: DeviceToleration[]
}

export interface DeviceRequest {
  name?: string
  exactly?: DeviceRequestPart
  firstAvailable?: DeviceRequestPart[]
}

export interface DeviceConstraint {
  requests?: string[]
  matchAttribute?: string
  distinctAttribute?: string
}

export interface DeviceClaim {
  requests?: DeviceRequest[] | null
  constraints?: DeviceConstraint[]
  config?: DeviceConfiguration[]
}

export interface AllocatedDevice {
  request?: string
  driver?: string
  pool?: string
  device?: string
  shareID?: string
  tolerations?: DeviceToleration[]
  bindingConditions?: string[]
  bindingFailureConditions?: string[]
}

export interface DeviceStatus {
  driver?: string
  pool?: string
  device?: string
  shareID?: string
  conditions?: MetaCondition[] | null
  data?: unknown
}

export interface Consumer {
  resource?: string
  name?: string
  uid?: string
}

export interface Allocation {
  devices?: { results?: AllocatedDevice[]; config?: DeviceConfiguration[] }
  nodeSelector?: { nodeSelectorTerms?: NodeSelectorTerm[] | null }
}

export interface ResourceClaim extends ApiObject {
  spec?: { devices?: DeviceClaim }
  status?: { allocation?: Allocation; reservedFor?: Consumer[]; devices?: DeviceStatus[] }
}

export interface DeviceTaint {
  key?: string
  value?: string
  effect?: string
  timeAdded?: string
}

export interface DeviceAttribute {
  int?: number
  bool?: boolean
  string?: string
  version?: string
}

export interface Device {
  name?: string
  attributes?: Record<string, DeviceAttribute>
  capacity?: Record<string, { value?: string; requestPolicy?: unknown }>
  consumesCounters?: { counterSet?: string; counters?: object }[]
  nodeName?: string
  nodeSelector?: { nodeSelectorTerms?: NodeSelectorTerm[] | null }
  allNodes?: boolean
  taints?: DeviceTaint[]
  bindingConditions?: string[]
  bindingFailureConditions?: string[]
  allowMultipleAllocations?: boolean
}

export interface ResourceSlice extends ApiObject {
  spec?: {
    driver?: string
    pool?: { name?: string; generation?: number; resourceSliceCount?: number }
    nodeName?: string
    nodeSelector?: { nodeSelectorTerms?: NodeSelectorTerm[] | null }
    allNodes?: boolean
    perDeviceNodeSelection?: boolean
    devices?: Device[]
    sharedCounters?: { name?: string; counters?: object }[]
  }
}
