/** The index of the quote that ends the string which begins at `start`; the length of the text if none does. */
export function stringEnd(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end >= 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end < 0 ? text.length : end
}

/** Whether an odd number of backslashes stands before `at`. */
function isEscaped(text: string, at: number): boolean {
  let before = at - 1
  while (text.charCodeAt(before) === 0x5c) before--
  return (at - before) % 2 === 0
}
