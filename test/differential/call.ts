/** Request to both servers. `{ns}` in path and body represents the namespace of the case. */
export interface Call {
  method?: string
  /** Absolute path. */
  path: string
  /** Body: an object is sent as JSON, a string unchanged. */
  body?: unknown
  headers?: Readonly<Record<string, string>>
  /** User; default: the administrator. `bob` has no rights; `nobody` sends no token. */
  as?: 'bob' | 'nobody'
  /**
   * Number of lines to read if the response is a stream; reading also ends with the stream, or
   * after a while without data.
   */
  lines?: number
  /**
   * Requests sent one after the other once the stream has started; their responses are not
   * compared.
   */
  during?: readonly Call[]
}

/** Values from earlier responses of the same server, for later steps. */
export interface Seen {
  /** `metadata.<name>` of the response to a step, by its position. */
  metadata(step: number, name: string): string
}

export type Step = Call | ((seen: Seen) => Call)

/** Steps that run in order on a server without objects of the two kinds. */
export interface Case {
  name: string
  steps: readonly Step[]
}

/** Response as received from a server. */
export interface Answer {
  status: number
  headers: Readonly<Record<string, string>>
  body: string
}

export const group = '/apis/wardle.example.com/v1alpha1'
export const flundersPath = `${group}/namespaces/{ns}/flunders`
export const fischersPath = `${group}/fischers`

export const applyType = { 'content-type': 'application/apply-patch+yaml' }
export const mergeType = { 'content-type': 'application/merge-patch+json' }
export const jsonPatchType = { 'content-type': 'application/json-patch+json' }
export const strategicType = { 'content-type': 'application/strategic-merge-patch+json' }

export function flunder(name: string, rest: object = {}): object {
  const { metadata, ...others } = rest as { metadata?: object }
  return {
    apiVersion: 'wardle.example.com/v1alpha1',
    kind: 'Flunder',
    metadata: { name, ...metadata },
    ...others,
  }
}

export function fischer(name: string, rest: object = {}): object {
  return { ...flunder(name, rest), kind: 'Fischer' }
}

export const get = (path: string, headers = {}): Call => ({ path, headers })
export const post = (path: string, body: unknown, headers = {}): Call => ({
  method: 'POST',
  path,
  body,
  headers,
})
export const put = (path: string, body: unknown, headers = {}): Call => ({
  method: 'PUT',
  path,
  body,
  headers,
})
export const patch = (path: string, body: unknown, headers: Call['headers']): Call => ({
  method: 'PATCH',
  path,
  body,
  headers: headers ?? mergeType,
})
export const remove = (path: string, body?: unknown): Call => ({ method: 'DELETE', path, body })
