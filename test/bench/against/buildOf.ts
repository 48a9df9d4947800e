import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** Main file of the server built from a commit, or from a folder that holds a build. A commit is built once, into
 *  .build/bench/. @throws Error if it is neither, or cannot be built. */
export function buildOf(root: string, against: string): string {
  const given = join(against, 'dist/apiserver/main.js')
  if (existsSync(given)) return given
  const commit = execFileSync('git', ['rev-parse', '--verify', `${against}^{commit}`], {
    cwd: root,
    encoding: 'utf8',
  }).trim()
  const folder = join(root, '.build/bench', commit)
  const main = join(folder, 'dist/apiserver/main.js')
  if (existsSync(main)) return main
  const partial = `${folder}.partial`
  rmSync(partial, { recursive: true, force: true })
  mkdirSync(partial, { recursive: true })
  const script = 'git -C "$1" archive "$2" | tar -x && npm ci && make dist/apiserver/main.js'
  process.stderr.write(`building ${commit.slice(0, 10)} …\n`)
  execFileSync('bash', ['-euo', 'pipefail', '-c', script, 'build', root, commit], {
    cwd: partial,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  renameSync(partial, folder)
  return main
}
