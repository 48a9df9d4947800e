import { jsonType } from './mediaTypes.ts'

/**
 * The media type of a request body, in lower case and without parameters; JSON if the header is
 * missing. Undefined: it is not among `known` (absent: any type), or its parameters are malformed.
 * Source: reference 1.12.
 */
export function mediaTypeOf(
  contentType: string | undefined,
  known?: readonly string[],
): string | undefined {
  if (contentType === undefined || contentType === '') return jsonType
  const [mediaType = ''] = contentType.split(';', 1)
  const wanted = mediaType.trim().toLowerCase()
  if (known === undefined) return wanted
  const areRead = readsParameters(contentType.slice(mediaType.length))
  return known.includes(wanted) && areRead ? wanted : undefined
}

const parameter =
  /[ \t]*;[ \t]*([\w!#$%&'*+.^`|~-]+)[ \t]*=[ \t]*([\w!#$%&'*+.^`|~-]+|"(?:[^"\\]|\\.)*")/y

/**
 * Reports whether `text` is a list of parameters without conflicting values. A trailing semicolon is allowed.
 * Source: Go, mime.ParseMediaType.
 */
function readsParameters(text: string): boolean {
  const values = new Map<string, string>()
  let at = 0
  for (;;) {
    parameter.lastIndex = at
    const [whole = '', name = '', value = ''] = parameter.exec(text) ?? []
    if (whole === '') return /^[ \t]*(?:;[ \t]*)?$/.test(text.slice(at))
    const key = name.toLowerCase()
    if ((values.get(key) ?? value) !== value) return false
    values.set(key, value)
    at += whole.length
  }
}
