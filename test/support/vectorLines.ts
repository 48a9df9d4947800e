import { readFileSync } from 'node:fs'

/** The values of a file of one JSON value a line, next to the test: `import.meta.url`. The caller knows their type. */
export function vectorLines(file: string, test: string): unknown[] {
  const text = readFileSync(new URL(file, test), 'utf8')
  return text
    .trimEnd()
    .split('\n')
    .map((line): unknown => JSON.parse(line))
}
