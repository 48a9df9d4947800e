import { addToGroup } from '../../meta/collections/groupBy.ts'
import { read } from '../cost/actualCosts.ts'
import { located } from '../cost/estimates.ts'
import { goQuote } from '../../meta/goQuote.ts'
import { CelMap } from '../values/celMap.ts'
import { Opaque } from '../values/scalars.ts'
import { isRequestUri } from '../../registry/formats/uriFormat.ts'
import type { FunctionTable } from './row.ts'

class Location extends Opaque {
  readonly typeName = 'kubernetes.URL'
  readonly text: string
  readonly scheme: string
  readonly host: string
  readonly path: string
  readonly query: string

  constructor(text: string) {
    super()
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

  equals(other: Location): boolean {
    return this.text === other.text
  }

  /** Host without its port; IPv6 addresses have no brackets. */
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

  /** Values of each parameter, in order. */
  get parameters(): CelMap {
    const found = new Map<string, string[]>()
    for (const one of this.query.split('&')) {
      if (one === '' || one.includes(';') || /%(?![0-9A-Fa-f]{2})/.test(one)) continue
      const [, name = '', value = ''] = /^([^=]*)=?([^]*)$/.exec(one) ?? []
      const key = unescaped(name.replaceAll('+', ' '))
      addToGroup(found, key, unescaped(value.replaceAll('+', ' ')))
    }
    return new CelMap(found)
  }
}

/** Parses a URL. @throws Error for an invalid URL. */
function locationOf(text: string): Location {
  if (isRequestUri(text)) return new Location(text)
  if (text === '')
    throw new Error(`URL parse error during conversion from string: parse "": empty url`)
  throw new Error(
    `URL parse error during conversion from string: parse ${goQuote(text)}: invalid URI for request`,
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

/** Functions for URLs. Source: Kubernetes documentation, "CEL in Kubernetes", URL library. */
export const urls: FunctionTable = {
  url: { forms: { 'string kubernetes.URL': locationOf }, cost: read, estimate: located },
  isURL: { forms: { 'string bool': isRequestUri } },
  getScheme: { forms: { '.kubernetes.URL string': ({ scheme }: Location) => scheme } },
  getHost: { forms: { '.kubernetes.URL string': ({ host }: Location) => host } },
  getHostname: { forms: { '.kubernetes.URL string': ({ hostname }: Location) => hostname } },
  getPort: { forms: { '.kubernetes.URL string': ({ port }: Location) => port } },
  getEscapedPath: {
    forms: { '.kubernetes.URL string': ({ escapedPath }: Location) => escapedPath },
  },
  getQuery: {
    forms: {
      '.kubernetes.URL map(string,list(string))': ({ parameters }: Location) => parameters,
    },
  },
}
