import { isObject } from './isObject.ts'

/** The JSON object that a text is; undefined for any other text. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
