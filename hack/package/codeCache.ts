/**
 * Writes V8's code cache of the server's script beside it, in the build in the given folder, `dist` by default. It is
 * created by a start of the server, so it contains the functions that a start uses.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { engineFlags } from '../../apiserver/command/engine.ts'

const program = `
  import { setFlagsFromString } from 'node:v8'
  const [flags, dist, dataDir] = process.argv.slice(-3)
  setFlagsFromString(flags) // the cache is valid only with these flags
  const { writeCodeCache } = await import(dist + '/chunks/serverScript.js')
  const { startServer } = await import(dist + '/apiserver/server.js')
  const server = await startServer({ dataDir, securePort: 0, insecurePort: 0 })
  writeCodeCache()
  await server.stop()
  process.exit(0)
`
const folder = mkdtempSync(join(tmpdir(), 'code-cache-'))
try {
  const dist = pathToFileURL(resolve(process.argv[2] ?? 'dist')).href
  const args = ['--input-type=module', '-e', program, '--', engineFlags, dist, join(folder, 'data')]
  execFileSync(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'], timeout: 60_000 })
} finally {
  rmSync(folder, { recursive: true, force: true })
}
