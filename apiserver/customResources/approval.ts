import { goQuote } from '../meta/goQuote.ts'
import type { CustomResourceDefinition } from './definition.ts'

/** API approval of a definition in a group that the Kubernetes community owns. */
export interface Approval {
  state: 'Missing' | 'Invalid' | 'Unapproved' | 'Approved'
  message: string
  /** Value of the annotation. */
  value: string
}

export const approvalAnnotation = 'api-approved.kubernetes.io'
const rule = 'https://github.com/kubernetes/enhancements/pull/1111'

/**
 * API approval of a definition, which community-owned groups require. Undefined: the group is not
 * community-owned. Source: Kubernetes, KEP 1111.
 */
export function approvalOf({
  metadata,
  spec: { group },
}: CustomResourceDefinition): Approval | undefined {
  const isProtected = /(^|\.)(k8s|kubernetes)\.io$/.test(group)
  if (!isProtected) return undefined
  const value = metadata.annotations?.[approvalAnnotation] ?? ''
  const needed = `protected groups must have approval annotation "${approvalAnnotation}"`
  if (value === '') return { state: 'Missing', message: `${needed}, see ${rule}`, value }
  if (value.startsWith('unapproved'))
    return { state: 'Unapproved', message: `not approved: ${goQuote(value)}`, value }
  if (isAddress(value)) return { state: 'Approved', message: `approved in ${value}`, value }
  const message = `${needed} with either a URL or a reason starting with "unapproved", see ${rule}`
  return { state: 'Invalid', message, value }
}

/** Reports whether a string is a URL with a scheme and a host. */
function isAddress(value: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/[^/?#]/i.test(value) && URL.canParse(value)
}
