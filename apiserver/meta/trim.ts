/** Reports whether a character is cut off. */
type IsCut = (char: string) => boolean

/** String without the characters at its end that are cut; a regular expression would take quadratic time. */
export function trimEnd(text: string, isCut: IsCut): string {
  let end = text.length
  while (end > 0 && isCut(text.charAt(end - 1))) end--
  return text.slice(0, end)
}

/** String without the characters at both ends that are cut. */
export function trimBoth(text: string, isCut: IsCut): string {
  let from = 0
  while (from < text.length && isCut(text.charAt(from))) from++
  return trimEnd(text.slice(from), isCut)
}
