const whole = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const digit = /[A-Za-z0-9+/]/
const lineBreak = /[\r\n]/

/** Position at which Go finds the first illegal base64 character; undefined: none. Line breaks count and are skipped.
 *  Source: Go, encoding/base64, StdEncoding; seen on kube-apiserver 1.37.2. */
export function illegalBase64At(text: string): number | undefined {
  if (whole.test(text)) return undefined
  let at = 0
  while (at < text.length) {
    const result = readGroup(text, at)
    if ('illegal' in result) return result.illegal
    at = result.next
  }
  return undefined
}

/** Reads up to four digits, and the padding of the last ones. */
function readGroup(text: string, start: number): { next: number } | { illegal: number } {
  let at = start
  for (let count = 0; count < 4;) {
    const character = text[at]
    if (character === undefined) return count === 0 ? { next: at } : { illegal: at - count }
    at++
    if (digit.test(character)) count++
    else if (!lineBreak.test(character))
      return character === '=' ? readPadding(text, at, count) : { illegal: at - 1 }
  }
  return { next: at }
}

/** Reads the padding. @param at position after the first `=`, which follows `count` digits. */
function readPadding(
  text: string,
  at: number,
  count: number,
): { next: number } | { illegal: number } {
  if (count < 2) return { illegal: at - 1 }
  let next = at
  if (count === 2) {
    next = behindBreaks(text, next)
    if (next === text.length) return { illegal: next }
    if (text[next] !== '=') return { illegal: next - 1 }
    next++
  }
  next = behindBreaks(text, next)
  return next < text.length ? { illegal: next } : { next }
}

function behindBreaks(text: string, at: number): number {
  let next = at
  while (lineBreak.test(text[next] ?? '')) next++
  return next
}
