import type { ApiObject } from '../meta/types.ts'

/**
 * Response to a request whose result is not an object, with the code of a creation.
 * Source: Kubernetes API reference, Status.
 */
export function createdStatus(): ApiObject {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 }
}
