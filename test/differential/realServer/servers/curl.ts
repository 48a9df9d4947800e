import type { Call } from '../../call.ts'

/** Request as a shell command, with the address and the token in `$SERVER` and `$TOKEN`. */
export function curl({ method = 'GET', path, body, headers = {} }: Call): string {
  const type: Record<string, string> =
    body === undefined ? {} : { 'content-type': 'application/json' }
  const options = Object.entries({ ...type, ...headers }).map(
    ([name, value]) => `-H ${quoted(`${name}: ${value}`)}`,
  )
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return [
    `curl -ksi -X ${method} "$SERVER"${quoted(path)} -H "Authorization: Bearer $TOKEN"`,
    ...options,
    ...(text === undefined ? [] : [`--data-binary ${quoted(text)}`]),
  ].join(' ')
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
