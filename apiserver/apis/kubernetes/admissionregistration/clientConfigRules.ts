import { invalidField, requiredField, type FieldError } from '../../../meta/fieldErrors.ts'
import { goQuote } from '../../../meta/goQuote.ts'
import { subdomainErrors } from '../../../meta/names/nameValidation.ts'
import type { ServiceReference, WebhookClientConfig } from '../../../webhooks/webhookAddress.ts'

/** Validates the address of a webhook. Source: Kubernetes API reference, WebhookClientConfig v1. */
export function clientConfigErrors(path: string, config: WebhookClientConfig): FieldError[] {
  const { url, service } = config
  if ((url === undefined) === (service === undefined)) {
    return [requiredField(path, 'exactly one of url or service is required')]
  }
  if (url !== undefined) return urlErrors(`${path}.url`, url)
  return service === undefined ? [] : serviceErrors(`${path}.service`, service)
}

const form = '; desired format: https://host[/path]'

function urlErrors(path: string, text: string): FieldError[] {
  const parts = urlParts(text)
  if (typeof parts === 'string') {
    return [requiredField(path, `url must be a valid URL: ${parts}${form}`)]
  }
  const { scheme, user, host, query, fragment } = parts
  const errors: FieldError[] = []
  if (scheme !== 'https') {
    errors.push(invalidField(path, scheme, `'https' is the only allowed URL scheme${form}`))
  }
  if (host === '') errors.push(invalidField(path, host, `host must be specified${form}`))
  if (user !== undefined) {
    errors.push(invalidField(path, user, 'user information is not permitted in the URL'))
  }
  if (fragment !== '') {
    errors.push(invalidField(path, fragment, 'fragments are not permitted in the URL'))
  }
  if (query !== '') {
    errors.push(invalidField(path, query, 'query parameters are not permitted in the URL'))
  }
  return errors
}

interface UrlParts {
  scheme: string
  user: string | undefined
  host: string
  query: string
  fragment: string
}

/** Parts of a URL according to RFC 3986; a string: the reason why the URL is invalid. */
function urlParts(text: string): UrlParts | string {
  const match = /^(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?:\/\/([^/?#]*))?[^?#]*(?:\?([^#]*))?(?:#(.*))?$/s
  const [, scheme = '', authority = '', query = '', fragment = ''] = match.exec(text) ?? []
  const at = authority.lastIndexOf('@')
  const host = authority.slice(at + 1)
  const problem = textProblem(text, scheme) ?? hostProblem(host)
  if (problem !== undefined) return `parse ${goQuote(text)}: ${problem}`
  const user = at < 0 ? undefined : authority.slice(0, at)
  return { scheme: scheme.toLowerCase(), user, host, query, fragment }
}

function textProblem(text: string, scheme: string): string | undefined {
  if (/[\x00-\x1f\x7f]/.test(text)) return 'net/url: invalid control character in URL'
  if (scheme === '' && text.startsWith(':')) return 'missing protocol scheme'
  const escape = /%(?![0-9A-Fa-f]{2}).{0,2}/s.exec(text.split('?')[0] ?? '')?.[0]
  return escape === undefined ? undefined : `invalid URL escape ${goQuote(escape)}`
}

function hostProblem(host: string): string | undefined {
  const port = /:([^\]:]*)$/.exec(host)?.[1]
  if (port !== undefined && !/^\d*$/.test(port)) return `invalid port ":${port}" after host`
  const odd = /[ "<>]/.exec(host)?.[0]
  return odd === undefined ? undefined : `invalid character ${goQuote(odd)} in host name`
}

/** Validates a reference to a service, whose port already has its default. */
function serviceErrors(path: string, service: ServiceReference): FieldError[] {
  const { name = '', namespace = '', port = 443 } = service
  const errors: FieldError[] = []
  if (name === '') errors.push(requiredField(`${path}.name`))
  if (namespace === '') {
    errors.push(requiredField(`${path}.namespace`))
  }
  if (port < 1 || port > 65535) {
    const detail = 'port is not valid: must be between 1 and 65535, inclusive'
    errors.push(invalidField(`${path}.port`, port, detail))
  }
  return [...errors, ...pathErrors(`${path}.path`, service.path ?? '')]
}

function pathErrors(field: string, path: string): FieldError[] {
  if (path === '' || path === '/') return []
  if (path === '//') return [invalidField(field, path, 'segment[0] may not be empty')]
  const start = path.startsWith('/') ? [] : [invalidField(field, path, "must start with a '/'")]
  const segments = withoutFirstByte(path).replace(/\/$/, '').split('/')
  const rest = segments.flatMap((segment, at): FieldError[] => {
    if (segment === '') return [invalidField(field, path, `segment[${at}] may not be empty`)]
    return subdomainErrors(segment).map((text) =>
      invalidField(field, path, `segment[${at}]: ${text}`),
    )
  })
  return [...start, ...rest]
}

/** The path without its first byte, which is a slash in a valid path. */
function withoutFirstByte(path: string): string {
  return Buffer.from(path).subarray(1).toString()
}
