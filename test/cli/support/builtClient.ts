import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { bundleClient } from '../../../hack/package/bundleClient.ts'

let built: Promise<string> | undefined

/** Folder with the program, built once for all tests, under its own name and others. */
export function builtClient(): Promise<string> {
  built ??= build()
  return built
}

async function build(): Promise<string> {
  // Packages that are not bundled are found from here.
  const cache = resolve('node_modules/.cache')
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(`${cache}/cli-`)
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  // Sound: the file belongs to the repository.
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    dependencies: Record<string, string>
  }
  await bundleClient(folder, Object.keys(dependencies))
  const program = join(folder, 'main.js')
  for (const name of ['platform', 'acme', 'kubectl-platform', 'kubectl_complete-platform'])
    symlinkSync(program, `${folder}/${name}`)
  return folder
}
