const maxTotalRunes = 4096
const cutRunes = 256
// Control characters are not allowed in a header.
const unfit = /[\x00-\x1f\x7f]/

/**
 * Header lines, one per warning. If they exceed 4096 runes together, each is cut to 256, and those that do not fit are
 * omitted. Source: reference 1.8.
 */
export function warningHeaders(texts: Iterable<string>): string[] {
  const fit = [...texts].filter((text) => !unfit.test(text))
  const total = fit.reduce((sum, text) => sum + [...text].length, 0)
  if (total <= maxTotalRunes) return fit.map(header)
  const headers: string[] = []
  let left = maxTotalRunes
  for (const text of fit) {
    const runes = [...text].slice(0, cutRunes)
    if (runes.length > left) break
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
