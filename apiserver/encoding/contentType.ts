import { jsonType } from './mediaTypes.ts'

/** The media type of a request body, in lower case and without parameters; JSON when the header is missing. Undefined:
 *  not one of `known`, where that is given. Source: reference 1.12. */
export function mediaTypeOf(
  contentType: string | undefined,
  known?: readonly string[],
): string | undefined {
  if (contentType === undefined || contentType === '') return jsonType
  const [mediaType = ''] = contentType.split(';', 1)
  const wanted = mediaType.trim().toLowerCase()
  return known === undefined || known.includes(wanted) ? wanted : undefined
}
