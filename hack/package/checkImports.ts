import { isBuiltin } from 'node:module'
import type { Metafile } from 'esbuild'

/** Optional packages of bundled packages. */
const optional = new Set(['bufferutil', 'utf-8-validate', 'pg-native', 'encoding', 'pg-cloudflare'])

/**
 * Checks that the bundled files import only Node's own modules and installed packages. @throws Error with all other
 * imports.
 */
export function checkImports(metafile: Metafile, installed: readonly string[]): void {
  const missing = new Set<string>()
  for (const { imports } of Object.values(metafile.outputs))
    for (const { path, external } of imports) if (external && !isKnown(path)) missing.add(path)
  if (missing.size > 0) throw new Error(`neither joined nor installed: ${[...missing].join(', ')}`)

  function isKnown(path: string): boolean {
    if (isBuiltin(path) || optional.has(path)) return true
    return installed.some((name) => path === name || path.startsWith(`${name}/`))
  }
}
