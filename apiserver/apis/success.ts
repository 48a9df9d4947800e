import type { ApiObject } from '../meta/types.ts'

/**
 * The response to a request that creates nothing to show, with the code of a creation.
 * Source: Kubernetes API reference, Status.
 */
export function createdStatus(): ApiObject {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 }
}
