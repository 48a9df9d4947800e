import type { PodSpec, ResourceRequirements } from '../../shapes/coreV1.ts'
import { compareQuantityStrings } from '../quantityRules.ts'

/**
 * Quality of service class of a pod. Pod-level resources replace those of the containers.
 * Source: Kubernetes documentation, "Pod Quality of Service Classes".
 */
export function qualityOf({ resources, containers, initContainers = [] }: PodSpec): string {
  const all = [...(containers ?? []), ...initContainers].map((one) => one.resources ?? {})
  const asked = hasAny(resources?.limits) || hasAny(resources?.requests) ? [resources ?? {}] : all
  if (asked.every(hasNone)) return 'BestEffort'
  return asked.every(isGuaranteed) ? 'Guaranteed' : 'Burstable'
}

/** Reports whether any quantity is set. */
function hasAny(quantities: Readonly<Record<string, unknown>> = {}): boolean {
  return Object.keys(quantities).length > 0
}

const counted = ['cpu', 'memory'] as const

function hasNone({ limits = {}, requests = {} }: ResourceRequirements): boolean {
  return counted.every((name) => !isSome(limits[name]) && !isSome(requests[name]))
}

function isGuaranteed({ limits = {}, requests = {} }: ResourceRequirements): boolean {
  return counted.every((name) => {
    const [limit, request = limit] = [limits[name], requests[name]]
    return isSome(limit) && isSome(request) && compareQuantityStrings(limit, request) === 0
  })
}

function isSome(quantity: string | undefined): quantity is string {
  return quantity !== undefined && compareQuantityStrings(quantity, '0') > 0
}
