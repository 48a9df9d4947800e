import type { ApiObject } from '../../../meta/types.ts'

interface SystemPriority {
  value: number
  description: string
}

/**
 * Priority classes of every cluster. Source: Kubernetes documentation, "Guaranteed Scheduling For
 * Critical Add-On Pods".
 */
const known: Readonly<Record<string, SystemPriority>> = {
  'system-node-critical': {
    value: 2_000_001_000,
    description: 'For pods that the node they are on needs: they are not moved to another.',
  },
  'system-cluster-critical': {
    value: 2_000_000_000,
    description: 'For pods that the cluster needs: they may be moved to another node.',
  },
}

/** Value of a system class; undefined: unknown class. */
export function systemPriority(name: string): number | undefined {
  return Object.hasOwn(known, name) ? known[name]?.value : undefined
}

/** System priority classes, which are created if they are missing. */
export function systemPriorityClasses(): ApiObject[] {
  return Object.entries(known).map(([name, content]) => ({
    kind: 'PriorityClass',
    apiVersion: 'scheduling.k8s.io/v1',
    metadata: { name },
    ...content,
  }))
}
