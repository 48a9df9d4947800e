import { expect } from 'chai'
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { chmod, chown, cp, mkdir, mkdtemp, rm, stat, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { createContext, Script } from 'node:vm'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { startServer as startFromSources } from '../../apiserver/server.ts'
import { deadline } from '../support/deadlines.ts'
import { badCodeCaches, startedFromCache } from './codeCache.ts'
import { conflictInOwnContext } from './ownContext.ts'
import { packageFolders, sizeOf } from '../../hack/package/installedSize.ts'
import { skip } from '../support/skip.ts'

const root = join(import.meta.dirname, '../..')
const run = promisify(execFile)

/** Limits of an installation. */
const most = { bytes: 50 * 1024 * 1024, packages: 60 }

describe('the npm package', function () {
  this.timeout(180_000)

  let folder: string
  let project: string
  const installed = (...path: string[]) => join(project, 'node_modules', ...path)
  const own = (...path: string[]) => installed('platform-apiserver', ...path)

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'package-'))
    const packed = join(folder, 'packed')
    project = join(folder, 'project')
    await Promise.all([mkdir(packed), mkdir(project)])
    const tsx = join(root, 'node_modules/.bin/tsx')
    await run(tsx, ['hack/package/bundle.ts', join(packed, 'dist')], { cwd: root })
    await symlink(join(root, 'node_modules'), join(packed, 'node_modules'))
    await run(tsx, ['hack/package/codeCache.ts', join(packed, 'dist')], { cwd: root })
    await rm(join(packed, 'node_modules'))
    for (const name of ['package.json', 'README.md', 'LICENSE', 'NOTICE', 'CHANGELOG.md', 'docs'])
      await cp(join(root, name), join(packed, name), { recursive: true })
    const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--json', packed], {
      cwd: folder,
    })
    // Sound: npm prints one entry for each archive.
    const [{ filename } = { filename: '' }] = JSON.parse(stdout) as { filename: string }[]
    writeFileSync(join(project, 'package.json'), '{"name":"project","version":"1.0.0"}')
    await run('npm', ['install', '--prefer-offline', join(folder, filename)], { cwd: project })
  })

  after(() => rm(folder, { recursive: true, force: true }))

  it('takes at most 50 MB and 60 packages when installed', () => {
    const { bytes, packages } = sizeOf(installed())
    expect(bytes).to.be.within(1, most.bytes)
    expect(packages).to.be.within(1, most.packages)
  })

  it('has neither tests, benches nor source maps', () => {
    const files = readdirSync(own(), { recursive: true, encoding: 'utf8' })
    expect(files.filter((name) => /\.map$|\.test\.|bench|^hack|^test/.test(name))).to.deep.equal([])
  })

  it('names the licence of every bundled package', () => {
    const bill = JSON.parse(readFileSync(own('dist/sbom.cdx.json'), 'utf8')) as Bill
    const licences = readFileSync(own('dist/LICENSES.txt'), 'utf8')
    const joined = bill.components.filter((each) => each.properties[0].value === 'joined')
    expect(joined.length).to.be.above(50)
    const missing = joined.filter(({ name, version }) => !licences.includes(`${name} ${version} (`))
    expect(missing).to.deep.equal([])
  })

  it('installs only packages of its bill of materials', () => {
    const bill = JSON.parse(readFileSync(own('dist/sbom.cdx.json'), 'utf8')) as Bill
    const named = new Set(bill.components.map(({ name }) => name))
    const present = packageFolders(installed()).map((at) => at.slice(installed().length + 1))
    const unnamed = present.filter((name) => name !== 'platform-apiserver' && !named.has(name))
    expect(unnamed).to.deep.equal([])
  })

  it('loads each of its files', async () => {
    const files = readdirSync(own('dist/chunks')).filter((name) => /\.c?js$/.test(name))
    expect(files.length).to.be.above(20)
    const imports = files.map(
      (name) => `import(${JSON.stringify(pathToFileURL(own('dist/chunks', name)).href)})`,
    )
    const { stdout } = await run(process.execPath, [
      '--input-type=module',
      '--eval',
      `await Promise.all([${imports.join(',')}]); console.log('loaded'); process.exit()`,
    ])
    expect(stdout).to.equal('loaded\n')
  })

  it('loads the script of the server neither for etcd nor for the help of kube-apiserver', () => {
    const started = [
      own('dist/apiserver/kubeApiserver/envtest/etcd.js'),
      ...readdirSync(own('dist/chunks'))
        .filter((name) => /^runKubeApiserver-\w+\.js$/.test(name))
        .map((name) => own('dist/chunks', name)),
    ]
    expect(started.length).to.equal(2)
    const loaded = [...new Set(started.flatMap((file) => [...staticImports(file)]))]
    expect(loaded.length).to.be.above(2)
    expect(loaded.filter((file) => file.endsWith('serverScript.js'))).to.deep.equal([])
  })

  it('starts from the code cache of its build', async () => {
    expect(await startedFromCache(own())).to.equal('true undefined exports: none\n')
  })

  for (const [what, changed] of Object.entries(badCodeCaches))
    it(`starts without a code cache that ${what}`, async () => {
      const chunk = (name: string) => own('dist/chunks', name)
      const whole = readFileSync(chunk('server.cache'))
      try {
        const bad = changed(whole, readFileSync(chunk('server.cjs')))
        if (bad === undefined) await rm(chunk('server.cache'))
        else writeFileSync(chunk('server.cache'), bad)
        expect(await startedFromCache(own())).to.equal('false undefined exports: none\n')
      } finally {
        writeFileSync(chunk('server.cache'), whole)
      }
    })

  for (const [signal, how] of [
    ['SIGTERM', 'SIGTERM sent to npx'],
    ['SIGINT', 'Ctrl-C in its terminal'],
  ] as const)
    it(`serves with npx until ${how}`, async () => {
      const data = join(folder, `data-${signal}`)
      const flags = ['serve', '--data-dir', data, '--secure-port', '0']
      // A terminal sends the signal to every process of the group.
      const npx = spawn('npx', ['platform-apiserver', ...flags], { cwd: project, detached: true })
      const url = await firstLine(npx)
      expect(url).to.match(/^serving https:/)
      const group = signal === 'SIGINT' ? -Number(npx.pid) : Number(npx.pid)
      process.kill(group, signal)
      await once(npx, 'exit')
      const stopped = await unlocked(data)
      expect(stopped).to.equal(true)
    })

  it('can be loaded with require', async () => {
    const text = `
      const { startServer } = require('platform-apiserver')
      startServer({ storage: 'memory', securePort: 0 }).then(async (server) => {
        console.log(new URL(server.url).protocol, server.kubeconfig.includes(server.url))
        await server.stop()
      })`
    const { stdout } = await run(process.execPath, ['--eval', text], { cwd: project })
    expect(stdout).to.equal('https: true\n')
  })

  it('starts in a test runner with its own module system that refuses ES modules', async () => {
    const file = own('dist/apiserver/server.cjs')
    const real = createRequire(file)
    const context = createContext({
      exports: {},
      __dirname: own('dist/apiserver'),
      require: (name: string): unknown => {
        if (name.startsWith('.')) throw new Error(`Must use import to load ES Module: ${name}`)
        return real(name)
      },
    })
    new Script(readFileSync(file, 'utf8')).runInContext(context)
    // Sound: the entry exports this function.
    const { startServer } = context['exports'] as { startServer: typeof startFromSources }
    const server = await startServer({ storage: 'memory', securePort: 0 })
    expect(server.url).to.match(/^https:/)
    await server.stop()
  })

  it('answers a conflict with 409 in a test runner that loads ES modules into a context of its own', async () => {
    expect(await conflictInOwnContext(own('dist/apiserver/server.js'))).to.equal('201 409\n')
  })

  it('runs as in its image: as another user, on a read-only root, and healthy', async function () {
    if (!(await mayIsolate())) skip(this, 'namespaces are not permitted')
    const dockerfile = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8')
    const words = (instruction: RegExp) =>
      // Sound: each of them is a list of strings in JSON.
      (JSON.parse(instruction.exec(dockerfile)?.[1] ?? '[]') as string[]).map((word) =>
        word.replace(/^\/app\/node_modules/, installed()).replace(/^\/data$/, data),
      )
    const data = join(folder, 'data-image')
    await mkdir(data)
    await Promise.all([chmod(folder, 0o755), chown(data, 1000, 1000)])
    const serve = [...words(/^ENTRYPOINT (.*)$/m), ...words(/^CMD (.*)$/m)]
    const health = words(/^ {2}CMD (.*)$/m)
    const quoted = (list: readonly string[]) =>
      list.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
    const { stdout } = await run('unshare', [
      ...['--mount', '--net', '--pid', '--fork', '--kill-child', 'bash', '-ec'],
      `ip link set lo up
       mount --bind ${data} ${data} && mount -o remount,bind,ro /
       as='setpriv --reuid 1000 --regid 1000 --clear-groups --no-new-privs'
       cd / && exec 3< <($as ${quoted(serve)})
       read -r line <&3 && echo "$line"
       $as ${quoted(health)} && echo healthy
       $as touch ${folder}/x 2> /dev/null || echo read-only`,
    ])
    expect(stdout).to.equal('serving https://127.0.0.1:8443\nhealthy\nread-only\n')
    const { uid } = await stat(join(data, 'db'))
    expect(uid).to.equal(1000)
  })
})

/** Reports whether namespaces may be created, as for containers. */
async function mayIsolate(): Promise<boolean> {
  const tried = run('unshare', [
    '--mount',
    '--net',
    '--pid',
    '--fork',
    'ip',
    'link',
    'set',
    'lo',
    'up',
  ])
  return tried.then(
    () => true,
    () => false,
  )
}

interface Bill {
  components: { name: string; version: string; properties: [{ value: string }] }[]
}

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  if (stdout === null) throw new Error('the process has no output')
  const [chunk] = (await once(stdout, 'data')) as [Buffer]
  return String(chunk)
}

/** Reports whether a server on this folder ends, so that a second one can open it. */
async function unlocked(data: string): Promise<boolean> {
  const until = performance.now() + deadline(5_000)
  while (performance.now() < until) {
    try {
      const server = await startFromSources({ dataDir: data, securePort: 0 })
      await server.stop()
      return true
    } catch (error) {
      if (!/in use/.test(String(error))) throw error
    }
  }
  return false
}

/** A module and all its static imports, recursively. */
function staticImports(file: string, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found
  found.add(file)
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(
    /(?:from|import)["'](\.[^"']+)["']/g,
  ))
    staticImports(join(dirname(file), path), found)
  return found
}
