import type { UserInfo } from '../../../meta/types.ts'

const prefix = 'system:node:'
const nodesGroup = 'system:nodes'

/**
 * Name of the node that the user represents; empty: a node without a name; undefined: not a node.
 * Source: Kubernetes, "Using Node Authorization".
 */
export function nodeOf({ name, groups }: UserInfo): string | undefined {
  return name.startsWith(prefix) && groups.includes(nodesGroup)
    ? name.slice(prefix.length)
    : undefined
}
