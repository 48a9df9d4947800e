import type { ApiObject } from '../../../meta/types.ts'
import type {
  DeviceSubRequest,
  ExactDeviceRequest,
  ResourceClaimSpec,
  ResourceClaimStatus,
  ResourceSliceSpec,
} from '../shapes/resourceV1.ts'

/** A request for devices, or one of its alternatives. */
export type DeviceRequestPart = DeviceSubRequest & ExactDeviceRequest

export interface ResourceClaim extends ApiObject {
  spec?: ResourceClaimSpec
  status?: ResourceClaimStatus
}

export interface ResourceSlice extends ApiObject {
  spec?: ResourceSliceSpec
}
