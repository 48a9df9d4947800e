import { redacted } from './redaction.ts'

const secretParameter =
  /token|secret|password|passwd|credential|assertion|signature|verifier|nonce|^(saml\w+|relaystate|code|state|key|access_?key|api_?key|auth|authorization)$/i
const longestUri = 8 * 1024

/**
 * The URL of a request in loggable form, without the scheme and host and without secrets in the
 * query.
 */
export function shownUri(url: string): string {
  const target = url.startsWith('/') ? url : url.replace(/^[^/]*\/\/[^/]*/, '')
  const mark = target.indexOf('?')
  const shown = mark < 0 ? target : target.slice(0, mark + 1) + shownQuery(target.slice(mark + 1))
  return shown.length > longestUri ? `${shown.slice(0, longestUri)}...` : shown
}

function shownQuery(query: string): string {
  const parameters = query.split('&').map((parameter) => {
    const equals = parameter.indexOf('=')
    if (equals < 0) return parameter
    const name = parameter.slice(0, equals)
    return secretParameter.test(decoded(name)) ? `${name}=${redacted}` : parameter
  })
  return parameters.join('&')
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    // Malformed percent-encoding is used literally.
    return name
  }
}
