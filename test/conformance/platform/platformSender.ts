/** Request of a client to any path of the server. */
export interface PlatformRequest {
  method: string
  /** Below the management API when it does not start with /. */
  path: string
  /** The bearer; undefined: none is sent. */
  key?: string | undefined
  /** Sent as JSON. */
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

/** A watch that is open. */
export interface OpenWatch {
  /** Resolves once `part` was received. @throws Error when it does not come. */
  until: (part: string) => Promise<void>
  /** Resolves with the received data once the server ended the response. @throws Error if it does not. */
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

/** Content type that the client sends unless the request sets another one. */
export function bodyType({ method, body }: PlatformRequest): Record<string, string> {
  if (body === undefined) return {}
  return { 'Content-Type': method === 'PATCH' ? mergePatchType : 'application/json' }
}
