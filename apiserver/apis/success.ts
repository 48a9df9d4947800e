import type { ApiObject } from '../meta/types.ts'

/** The answer of a request that makes nothing to show, with the code of a creation.
 *  Source: Kubernetes API reference, Status. */
export function createdStatus(): ApiObject {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 }
}
