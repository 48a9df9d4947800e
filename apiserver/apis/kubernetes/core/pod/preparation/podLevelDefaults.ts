import type { PodSpec } from '../../../shapes/coreV1.ts'
import { compareQuantityStrings } from '../../quantityRules.ts'
import { placedContainers } from '../containerPaths.ts'
import { containerTotals, isHugePages, isOfPods, type ResourceList } from './containerTotals.ts'

/**
 * Derives missing pod-level resources from those of the containers if the pod has any pod-level
 * resources. Changes `spec`. Source: seen on kube-apiserver 1.37.2.
 */
export function setPodLevelDefaults(spec: PodSpec): void {
  const { resources } = spec
  if (resources === undefined) return
  const [limits, requests] = [resources.limits ?? {}, resources.requests ?? {}]
  if (Object.keys({ ...limits, ...requests }).length === 0) return
  const totals = containerTotals(spec, 'limits')
  const pages = onlyNamed(totals, (name) => isHugePages(name) && !Object.hasOwn(requests, name))
  const withPages = { ...pages, ...limits }
  const asked = onlyNamed(containerTotals(spec, 'requests'), (name) => !isHugePages(name))
  const whole = onlyNamed({ ...withPages, ...asked }, isOfPods)
  const allRequests = { ...whole, ...requests }
  const allLimits = {
    ...missingLimits(spec, allRequests, { limits: withPages, totals }),
    ...withPages,
  }
  if (Object.keys(allLimits).length > 0) resources.limits = allLimits
  if (Object.keys(allRequests).length > 0) resources.requests = allRequests
}

/**
 * Limits of resources that every container limits: the sum, or the pod's request if that is higher.
 */
function missingLimits(
  spec: PodSpec,
  requests: ResourceList,
  { limits, totals }: { limits: ResourceList; totals: ResourceList },
): ResourceList {
  const all = placedContainers('', spec).map(({ container }) => container.resources?.limits ?? {})
  const isLimited = (name: string) => all.every((own) => Object.hasOwn(own, name))
  const found = Object.entries(requests).flatMap(([name, request]): [string, string][] => {
    const total = totals[name]
    if (total === undefined || Object.hasOwn(limits, name)) return []
    if (!isOfPods(name) || !isLimited(name)) return []
    return [[name, compareQuantityStrings(request, total) > 0 ? request : total]]
  })
  return Object.fromEntries(found)
}

function onlyNamed(
  quantities: ResourceList,
  isMeant: (name: string) => boolean,
): Record<string, string> {
  return Object.fromEntries(Object.entries(quantities).filter(([name]) => isMeant(name)))
}
