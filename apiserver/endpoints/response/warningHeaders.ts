const maxTotalRunes = 4096
const cutRunes = 256
// Control characters are not allowed in a header.
const unfit = /[\x00-\x1f\x7f-\x9f]/

/**
 * Header lines, one per warning. If they exceed 4096 runes in total, each is cut to 256, and
 * warnings after the one that reaches 4096 are omitted. Source: reference 1.8; seen on
 * kube-apiserver 1.37.2.
 */
export function warningHeaders(texts: Iterable<string>): string[] {
  const fit = [...texts].filter((text) => !unfit.test(text))
  const total = fit.reduce((sum, text) => sum + [...text].length, 0)
  if (total <= maxTotalRunes) return fit.map(header)
  const headers: string[] = []
  let left = maxTotalRunes
  for (const text of fit) {
    const runes = [...text].slice(0, cutRunes)
    // The warning that reaches the limit is sent completely.
    if (left <= 0) break
    left -= runes.length
    headers.push(header(runes.join('')))
  }
  return headers
}

function header(text: string): string {
  // Header values are sent as Latin-1: each UTF-8 byte becomes one character.
  const latin1 = Buffer.from(text, 'utf8').toString('latin1')
  return `299 - "${latin1.replace(/["\\]/g, '\\$&')}"`
}
