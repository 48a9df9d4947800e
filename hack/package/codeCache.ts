/**
 * Writes V8's code cache of the server's script beside it, in the build in the given folder, `dist` by default. It is
 * created by a start of the server and one of kube-apiserver, so it contains the functions that both use.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'

const program = join(import.meta.dirname, 'writeCodeCache.mjs')
const folder = mkdtempSync(join(tmpdir(), 'code-cache-'))
try {
  const dist = pathToFileURL(resolve(process.argv[2] ?? 'dist')).href
  const args = [program, dist, folder]
  execFileSync(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'], timeout: 60_000 })
} finally {
  rmSync(folder, { recursive: true, force: true })
}
