/**
 * Copies the declarations needed by the published entry beside it: `publishedTypes.ts FOLDER` reads from FOLDER and
 * writes into `dist/`.
 */
import { cpSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const from = process.argv[2]
if (from === undefined) throw new Error('usage: publishedTypes.ts FOLDER')
copyWithImports(from, join(from, 'apiserver/server.d.ts'), new Set())

function copyWithImports(root: string, file: string, seen: Set<string>): void {
  if (seen.has(file)) return
  seen.add(file)
  cpSync(file, join('dist', relative(root, file)))
  const imports = readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?'(\.[^']+)\.[jt]s'/g)
  for (const [, path] of imports) copyWithImports(root, join(dirname(file), `${path}.d.ts`), seen)
}
