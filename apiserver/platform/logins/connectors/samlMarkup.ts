/** Maximum number of elements, comments and instructions: a thousand groups and what surrounds them. */
const maxElements = 1_500
/** Maximum number of attributes; each value of a group may have three. */
const maxAttributes = 5_000

/**
 * Limits the markup of a response before it is parsed: the time of parsing and of looking up signed elements grows with
 * the square of their number, and anyone may post a response. @throws Error if there is more.
 */
export function checkMarkup(xml: string): void {
  if (countOf(xml, '<') - countOf(xml, '</') > maxElements)
    throw new Error(`it has more than ${maxElements} elements`)
  if (countOf(xml, '=') > maxAttributes)
    throw new Error(`it has more than ${maxAttributes} attributes`)
}

function countOf(text: string, sign: string): number {
  let count = 0
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + sign.length)) count++
  return count
}
