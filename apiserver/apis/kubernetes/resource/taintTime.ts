import { formatTime } from '../../../meta/clock.ts'
import type { DeviceTaint } from './resourceShapes.ts'

/** Sets the time of a taint that has none. Source: seen on kube-apiserver 1.37.2. */
export function setTaintTime(taint: DeviceTaint): void {
  taint.timeAdded ??= formatTime(Date.now())
}
