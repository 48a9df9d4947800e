export type AdmissionOperation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT'

/** Details of a client's write for admission. The server's own writes have none and are not reviewed. */
export interface Review {
  /** CreateOptions, UpdateOptions or DeleteOptions with their type; null for a connection. Made when asked for. */
  options(operation: AdmissionOperation): Record<string, unknown> | null
  /** Notes something of the request in its audit event. */
  annotate(key: string, value: string): void
  /** The objects of a collection are deleted: reviews name none of them. */
  isCollection?: boolean
  /** Aborts when the client no longer waits for the response. */
  signal?(): AbortSignal
}
