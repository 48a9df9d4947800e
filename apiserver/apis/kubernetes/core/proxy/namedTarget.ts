import { goQuote } from '../../../../meta/goQuote.ts'
import { badRequest } from '../../../../meta/statusErrors.ts'

/** Target of a proxy as named in a URL: `name`, `name:port` or `scheme:name:port`. */
export interface NamedTarget {
  /** Empty: not given. */
  scheme: '' | 'http' | 'https'
  name: string
  /** Number or name; empty: not given. */
  port: string
}

const schemes = ['', 'http', 'https'] as const

/** Parses the name in a URL. `kind` is for the error message. @throws StatusError 400. */
export function namedTarget(text: string, kind: string): NamedTarget {
  const parts = text.split(':')
  const [given = '', name = '', port = ''] = parts.length === 3 ? parts : ['', ...parts]
  const scheme = schemes.find((one) => one === given)
  if (parts.length > 3 || name === '' || scheme === undefined) {
    throw badRequest(`invalid ${kind} request ${goQuote(text)}`)
  }
  return { scheme, name, port }
}
