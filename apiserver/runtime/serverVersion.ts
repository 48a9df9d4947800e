import { readFileSync } from 'node:fs'

/** The version in package.json, two folders above this file in the sources and above a chunk in `dist/`. */
export function serverVersion(): string {
  return versionIn(new URL('../../package.json', import.meta.url)) ?? 'unknown'
}

function versionIn(file: URL): string | undefined {
  let parsed: unknown
  try {
    parsed = JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
  if (typeof parsed !== 'object' || parsed === null || !('version' in parsed)) return undefined
  return typeof parsed.version === 'string' ? parsed.version : undefined
}
