import { resetsStatus } from '../registry/beforeCreate.ts'
import type { Target } from './target.ts'

/** Whether a write leaves the status of a custom object as it is, whatever a client sends. Source: observed answers. */
export function ignoresStatus({ resource, subresource }: Target): boolean {
  return resource.isCustom === true && subresource === undefined && resetsStatus(resource)
}
