import { resetsStatus } from '../registry/beforeCreate.ts'
import type { BodyOrigin } from './bodyType.ts'
import type { Exchange } from './exchange.ts'
import type { Target } from './target.ts'

/** Whether a write leaves the status of a custom object as it is, whatever a client sends. Source: observed answers. */
export function ignoresStatus({ resource, subresource }: Target): boolean {
  return resource.isCustom === true && subresource === undefined && resetsStatus(resource)
}

/** Where a body comes from that a client sent as the whole object. */
export function sentOrigin({ plane }: Exchange, target: Target, bytes: Buffer): BodyOrigin {
  return { resources: plane.resources, bytes, ignoresStatus: ignoresStatus(target) }
}
