/** Status object of the API, limited to what clients need. */
export interface StatusBody {
  code?: number
  reason?: string
  message?: string
  details?: {
    name?: string
    kind?: string
    retryAfterSeconds?: number
    causes?: readonly { reason?: string; message?: string; field?: string }[]
  }
}

/** Response of the server other than success. `message` is the server's. */
export class StatusError extends Error {
  readonly code: number
  readonly reason: string
  readonly details: NonNullable<StatusBody['details']>

  constructor(body: StatusBody, code: number) {
    super(body.message || `the server responded with ${body.code ?? code}`)
    this.name = 'StatusError'
    this.code = body.code ?? code
    this.reason = body.reason ?? ''
    this.details = body.details ?? {}
  }

  /** Reads the error of a response; at most 300 characters of a body that is not a Status are quoted. */
  static async of(response: Response): Promise<StatusError> {
    const text = await response.text().catch(() => '')
    const retry = Number(response.headers.get('retry-after') ?? '')
    const body = statusIn(text) ?? { message: text.slice(0, 300) }
    const details = { ...(retry > 0 ? { retryAfterSeconds: retry } : {}), ...body.details }
    return new StatusError({ ...body, details }, response.status)
  }
}

function statusIn(text: string): StatusBody | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isStatus =
      typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'Status'
    // Sound by its kind.
    return isStatus ? (value as StatusBody) : undefined
  } catch {
    return undefined
  }
}
