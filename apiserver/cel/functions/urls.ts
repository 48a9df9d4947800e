import type { Environment } from '@marcbachmann/cel-js'
import { isRequestUri } from '../../registry/formats/uriFormat.ts'
import { registerHandlers } from './handlers.ts'

class Location {
  readonly text: string
  readonly scheme: string
  readonly host: string
  readonly path: string
  readonly query: string

  constructor(text: string) {
    this.text = text
    const [, scheme = '', rest = ''] = /^(?:([A-Za-z][\w+.-]*):)?([^]*)$/.exec(text) ?? []
    const [before = '', ...queries] = rest.split('?')
    const [, authority, path = ''] = /^(?:\/\/([^/]*))?([^]*)$/.exec(before) ?? []
    const isOpaque = scheme !== '' && !before.startsWith('/')
    this.scheme = scheme.toLowerCase()
    this.host = scheme === '' ? '' : (authority ?? '').replace(/^.*@/, '')
    this.path = isOpaque ? '' : scheme === '' ? before : path
    this.query = queries.join('?')
  }

  /** The host without its port; addresses without their brackets. */
  get hostname(): string {
    return this.host.replace(/:\d*$/, '').replace(/^\[(.*)\]$/, '$1')
  }

  get port(): string {
    return /:(\d*)$/.exec(this.host)?.[1] ?? ''
  }

  get escapedPath(): string {
    const isEscaped = /^(?:[\w$&+,/:;=@.~!'()*[\]-]|%[0-9A-Fa-f]{2})*$/.test(this.path)
    if (isEscaped || this.path === '*') return this.path
    const plain = Buffer.from(unescaped(this.path))
    return [...plain].map((byte) => escapedByte(byte)).join('')
  }

  /** The values of each name, in order. */
  get parameters(): Map<string, string[]> {
    const found = new Map<string, string[]>()
    for (const one of this.query.split('&')) {
      if (one === '' || one.includes(';') || /%(?![0-9A-Fa-f]{2})/.test(one)) continue
      const [, name = '', value = ''] = /^([^=]*)=?([^]*)$/.exec(one) ?? []
      const key = unescaped(name.replaceAll('+', ' '))
      found.set(key, [...(found.get(key) ?? []), unescaped(value.replaceAll('+', ' '))])
    }
    return found
  }
}

/** Source: Kubernetes documentation, "CEL in Kubernetes", URL library. */
export function registerUrls(environment: Environment): void {
  environment.registerType('kubernetes.URL', Location)
  const isSame = (a: Location, b: Location) => a.text === b.text
  environment.registerOperator('kubernetes.URL == kubernetes.URL', isSame)
  registerHandlers(environment, {
    'url(string): kubernetes.URL': locationOf,
    'isURL(string): bool': isRequestUri,
    'kubernetes.URL.getScheme(): string': ({ scheme }: Location) => scheme,
    'kubernetes.URL.getHost(): string': ({ host }: Location) => host,
    'kubernetes.URL.getHostname(): string': ({ hostname }: Location) => hostname,
    'kubernetes.URL.getPort(): string': ({ port }: Location) => port,
    'kubernetes.URL.getEscapedPath(): string': ({ escapedPath }: Location) => escapedPath,
    'kubernetes.URL.getQuery(): map<string, list<string>>': ({ parameters }: Location) =>
      parameters,
  })
}

/** @throws Error for what is no URL. */
function locationOf(text: string): Location {
  if (isRequestUri(text)) return new Location(text)
  throw new Error(
    `URL parse error during conversion from string: parse ${JSON.stringify(text)}: invalid URI for request`,
  )
}

function unescaped(text: string): string {
  const bytes = text.replaceAll(/(?:%[0-9A-Fa-f]{2})+/g, (codes) =>
    Buffer.from(codes.replaceAll('%', ''), 'hex').toString(),
  )
  return bytes
}

function escapedByte(byte: number): string {
  const character = String.fromCharCode(byte)
  if (/[\w$&+,/:;=@.~-]/.test(character)) return character
  return `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
}
