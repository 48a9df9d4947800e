import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const cache = join(
  process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'),
  'platform-apiserver/node',
)

/**
 * Path of the Node executable from an npm package, fetched once per machine; npm verifies the archive against the
 * registry's digest. Packages of other platforms are fetched, too.
 */
export async function nodeRuntime(name: string, version: string): Promise<string> {
  const folder = join(cache, `${name}-${version}`)
  if (!existsSync(folder)) await fetchPackage(`${name}@${version}`, folder)
  const bin = join(folder, 'package/bin')
  const file = readdirSync(bin).find((each) => each.startsWith('node'))
  if (file === undefined) throw new Error(`${name}@${version} has no program`)
  return join(bin, file)
}

async function fetchPackage(what: string, folder: string): Promise<void> {
  mkdirSync(cache, { recursive: true })
  const fresh = mkdtempSync(join(cache, 'new-'))
  try {
    await run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', fresh, what])
    const [archive = ''] = readdirSync(fresh)
    await run('tar', ['-xzf', join(fresh, archive), '-C', fresh])
    rmSync(join(fresh, archive))
    renameSync(fresh, folder)
  } finally {
    rmSync(fresh, { recursive: true, force: true })
  }
}
