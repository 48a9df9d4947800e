import { compareQuantityStrings } from '../quantityRules.ts'
import type { PodSpec, Resources } from './podTypes.ts'

/** Quality of service class of a pod. Pod-level resources replace those of the containers.
 *  Source: Kubernetes documentation, "Pod Quality of Service Classes". */
export function qualityOf({ resources, containers, initContainers = [] }: PodSpec): string {
  const isWhole = resources?.limits !== undefined || resources?.requests !== undefined
  const all = [...(containers ?? []), ...initContainers].map((one) => one.resources ?? {})
  const asked = isWhole ? [resources] : all
  if (asked.every(hasNone)) return 'BestEffort'
  return asked.every(isGuaranteed) ? 'Guaranteed' : 'Burstable'
}

const counted = ['cpu', 'memory'] as const

function hasNone({ limits = {}, requests = {} }: Resources): boolean {
  return counted.every((name) => !isSome(limits[name]) && !isSome(requests[name]))
}

function isGuaranteed({ limits = {}, requests = {} }: Resources): boolean {
  return counted.every((name) => {
    const [limit, request = limit] = [limits[name], requests[name]]
    return isSome(limit) && isSome(request) && compareQuantityStrings(limit, request) === 0
  })
}

function isSome(quantity: string | undefined): quantity is string {
  return quantity !== undefined && compareQuantityStrings(quantity, '0') > 0
}
