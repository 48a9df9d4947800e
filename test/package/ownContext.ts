import { execFile } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Loads the module of the server like test runners with a context for each test file, creates an
 * object twice, and prints both statuses.
 */
export async function conflictInOwnContext(server: string): Promise<string> {
  const flags = ['--experimental-vm-modules', '--no-warnings', '--input-type=module']
  const args = [...flags, '--eval', runner, '--', pathToFileURL(server).href]
  const { stdout } = await run(process.execPath, args)
  return stdout
}

const runner = `
  import { readFileSync } from 'node:fs'
  import { isBuiltin, createRequire } from 'node:module'
  import { createContext, runInNewContext, SourceTextModule, SyntheticModule } from 'node:vm'
  const ofLanguage = new Set(runInNewContext('Object.getOwnPropertyNames(globalThis)'))
  const ofRuntime = Object.getOwnPropertyNames(globalThis).filter((name) => !ofLanguage.has(name))
  const context = createContext(Object.fromEntries(ofRuntime.map((name) => [name, globalThis[name]])))
  Object.assign(context, { ArrayBuffer, Uint8Array }) // as such runners do
  const modules = new Map()
  const at = (name, from) => (isBuiltin(name) || !name.startsWith('.') ? name : new URL(name, from).href)
  const find = (name, from) => {
    const url = at(name, from)
    if (!modules.has(url)) modules.set(url, load(url))
    return modules.get(url)
  }
  async function load(url) {
    if (!url.startsWith('file:')) {
      const real = await import(createRequire(process.argv.at(-1)).resolve(url))
      return new SyntheticModule(Object.keys(real), function () {
        for (const name of Object.keys(real)) this.setExport(name, real[name])
      }, { context })
    }
    return new SourceTextModule(readFileSync(new URL(url), 'utf8'), {
      ...{ context, identifier: url },
      initializeImportMeta: (meta) => void (meta.url = url),
      importModuleDynamically: (name) => evaluated(name, url),
    })
  }
  async function evaluated(name, from) {
    const module = await find(name, from)
    if (module.status === 'unlinked') await module.link((imported, by) => find(imported, by.identifier))
    await module.evaluate()
    return module
  }
  const { startServer } = (await evaluated(process.argv.at(-1))).namespace
  const server = await startServer({ storage: 'memory', securePort: 0, insecurePort: 0 })
  const token = /token: "?([^"\\s]+)/.exec(server.kubeconfig)[1]
  const create = () =>
    fetch(server.insecureUrl + '/api/v1/namespaces/default/configmaps', {
      method: 'POST',
      headers: { authorization: 'Bearer ' + token, 'content-type': 'application/json' },
      body: '{"metadata":{"name":"a"}}',
    })
  console.log((await create()).status, (await create()).status)
  process.exit(0)
`
