import { isIPv6 } from './ipFormats.ts'

/**
 * Reports whether a string is an absolute URI or an absolute path. Source: Kubernetes, format `uri`; Go,
 * url.ParseRequestURI.
 */
export function isRequestUri(text: string): boolean {
  if (/[\0-\x1f\x7f]/.test(text) || text.startsWith(':')) return false
  if (text === '*') return true
  const scheme = /^[a-z][a-z0-9+.-]*:/i.exec(text)?.[0] ?? ''
  const [rest = ''] = text.slice(scheme.length).split('?', 1)
  // After a scheme without a slash anything is allowed.
  if (!rest.startsWith('/')) return scheme !== ''
  return scheme !== '' && rest.startsWith('//') ? isLocation(rest.slice(2)) : isEscaped(rest)
}

/** Reports whether a string is an authority and a path. */
function isLocation(text: string): boolean {
  const end = text.indexOf('/')
  if (end < 0) return isAuthority(text)
  return isAuthority(text.slice(0, end)) && isEscaped(text.slice(end))
}

/** Reports whether every percent sign begins an escape. */
function isEscaped(text: string): boolean {
  return !/%(?![0-9a-f]{2})/i.test(text)
}

function isAuthority(authority: string): boolean {
  const at = authority.lastIndexOf('@')
  const user = authority.slice(0, Math.max(at, 0))
  return isHost(authority.slice(at + 1)) && isUser(user)
}

function isUser(user: string): boolean {
  return /^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user) && isEscaped(user)
}

function isHost(host: string): boolean {
  const bracket = host.lastIndexOf('[')
  if (bracket > 0) return false
  if (bracket === 0) return isLiteral(host)
  const colon = host.lastIndexOf(':')
  return (colon < 0 || isPort(host.slice(colon))) && isHostText(host)
}

function isPort(port: string): boolean {
  return /^(?::\d*)?$/.test(port)
}

/** Reports whether a string is an IPv6 literal, optionally with a zone: `[fe80::1%25eth0]:80`. */
function isLiteral(host: string): boolean {
  const end = host.lastIndexOf(']')
  if (end < 0 || !isPort(host.slice(end + 1))) return false
  const inner = host.slice(1, end)
  const zone = inner.indexOf('%25')
  if (zone < 0) return isIPv6(inner)
  return isIPv6(inner.slice(0, zone)) && isZone(inner.slice(zone + 3))
}

const hostCharacters = `A-Za-z0-9\\-._~!$&'()*+,;=:[\\]<>"\\u0080-\\uffff`

const hostText = new RegExp(`^(?:[${hostCharacters}]|%25|%[89a-f][0-9a-f])*$`, 'i')

/** Reports whether a string is a host name; the percent sign is the only ASCII character escaped in it. */
function isHostText(host: string): boolean {
  return hostText.test(host)
}

const zoneText = new RegExp(`^[${hostCharacters} ]+$`)

/** Reports whether a string is a zone; escapes represent characters that are allowed unescaped, and spaces. */
function isZone(zone: string): boolean {
  if (!isEscaped(zone) || zone.includes(' ')) return false
  const isPlain = (code: string) => {
    const character = String.fromCharCode(Number.parseInt(code.slice(1), 16))
    return character === '%' || (character < '\x80' && zoneText.test(character))
  }
  return (zone.match(/%../g) ?? []).every(isPlain) && zoneText.test(zone.replaceAll(/%../g, 'x'))
}
