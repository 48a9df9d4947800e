export type AdmissionOperation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT'

/** Details of a client's write for admission. The server's own writes have none and are not reviewed. */
export interface Review {
  /** CreateOptions, UpdateOptions or DeleteOptions with their type; null for a connection. Created on demand. */
  options(operation: AdmissionOperation): Record<string, unknown> | null
  /** Adds an annotation to the audit event of the request. */
  annotate(key: string, value: string): void
  /** True if the objects of a collection are deleted: reviews then contain no name. */
  isCollection?: boolean
  /** Aborts when the client no longer waits for the response. */
  signal?(): AbortSignal
}
