/** Request of a client to any path of the server. */
export interface PlatformRequest {
  method: string
  /** Path, below the management API unless it starts with a slash. */
  path: string
  /** Bearer token; undefined: none. */
  key?: string | undefined
  /** Body, sent as JSON. */
  body?: unknown
  /** Headers that replace the client's own. */
  headers?: Record<string, string>
}

export interface PlatformAnswer {
  status: number
  /** Response headers that the sender keeps, in lower case. */
  headers?: Readonly<Record<string, string | string[] | undefined>>
  text: string
}

/** Open watch. */
export interface OpenWatch {
  /** Resolves once `part` was received. @throws Error if it is not received. */
  until: (part: string) => Promise<void>
  /**
   * Resolves with the received data once the server has ended the response. @throws Error if it
   * does not end.
   */
  ended: () => Promise<string>
}

/** Sends requests in the form of one published client. */
export interface PlatformSender {
  send: (request: PlatformRequest) => Promise<PlatformAnswer>
  /** Sends a GET with a streamed response. */
  open: (request: PlatformRequest) => Promise<OpenWatch>
}

/** Address of the server. */
export interface PlatformAddress {
  /** URL of the server, over HTTPS. */
  url: string
  /** PEM. */
  certificateAuthority: Buffer
}

const managementPath = '/kubernetes/management/apis/management.platform/v1'

export function wholePath(path: string): string {
  return path.startsWith('/') ? path : `${managementPath}/${path}`
}

const mergePatchType = 'application/merge-patch+json'

/** Default content type of the client. */
export function bodyType({ method, body }: PlatformRequest): Record<string, string> {
  if (body === undefined) return {}
  return { 'Content-Type': method === 'PATCH' ? mergePatchType : 'application/json' }
}
