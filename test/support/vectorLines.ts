import { readFileSync } from 'node:fs'

/**
 * Values of a file next to the test (`import.meta.url`) with one JSON value per line. The caller
 * knows their type.
 */
export function vectorLines(file: string, test: string): unknown[] {
  const text = readFileSync(new URL(file, test), 'utf8')
  return text
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line))
}
