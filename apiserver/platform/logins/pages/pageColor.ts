const hex = /^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i
const word = /^[a-z]{3,20}$/i
const number = '-?\\d{1,4}(?:\\.\\d{1,4})?(?:%|deg)?'
const call = new RegExp(
  `^(?:rgb|hsl)a?\\( ?${number}(?:(?: ?, ?| )${number}){2}(?: ?[,/] ?${number})? ?\\)$`,
  'i',
)

/** A valid CSS color; undefined for any other value, which must not reach the style sheet. */
export function cssColor(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  return hex.test(text) || word.test(text) || call.test(text) ? text : undefined
}

/**
 * White or black, whichever is more readable on a color in hex; white for any other value. Source:
 * WCAG 2.2, "relative luminance".
 */
export function textColorOn(color: string): '#fff' | '#000' {
  if (!hex.test(color)) return '#fff'
  const size = color.length > 5 ? 2 : 1
  const [red = 0, green = 0, blue = 0] = [0, 1, 2].map((at) => {
    const digits = color.slice(1 + at * size, 1 + (at + 1) * size).padStart(2, color[1 + at])
    const part = Number.parseInt(digits, 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? '#000' : '#fff'
}
