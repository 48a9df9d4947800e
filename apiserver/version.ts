import { readFileSync } from 'node:fs'

/** The version in package.json, which stands one folder higher above `dist/` than above the sources. */
export function serverVersion(): string {
  for (const path of ['../package.json', '../../package.json']) {
    const version = versionIn(new URL(path, import.meta.url))
    if (version !== undefined) return version
  }
  return 'unknown'
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
