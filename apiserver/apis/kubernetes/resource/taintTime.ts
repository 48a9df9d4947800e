import { formatTime } from '../../../meta/clock.ts'
import type { DeviceTaint } from '../shapes/resourceV1.ts'

/** Sets the missing time of a taint. Source: seen on kube-apiserver 1.37.2. */
export function setTaintTime(taint: DeviceTaint): void {
  taint.timeAdded ??= formatTime(Date.now())
}
