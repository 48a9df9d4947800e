import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { sizeOf } from './installedSize.ts'

// Packs dist/, installs it, starts it with each supported version of Node, and prints size and start time.
// `--record` adds a row to the history. Exit code 1: a version of Node does not serve, or a limit is exceeded.

const run = promisify(execFile)
const root = join(import.meta.dirname, '../..')
const history = join(root, 'docs/reference/package-history.md')
/** Node versions besides the current one: npm packages with only the executable. */
const versions = ['22', '24']
const limits = { megabytes: 50, packages: 60 }
const starts = 3
const startSeconds = 120

interface Started {
  version: string
  /** Milliseconds until a start on an existing folder serves: wall time and CPU time. */
  wallMs: number
  processorMs: number | undefined
}

const folder = await mkdtemp(join(tmpdir(), 'package-check-'))
try {
  await check()
} finally {
  await rm(folder, { recursive: true, force: true })
}

async function check(): Promise<void> {
  const project = join(folder, 'project')
  await installPackage(project)
  const { bytes, packages } = sizeOf(join(project, 'node_modules'))
  const megabytes = Math.round(bytes / 1024 / 1024)
  const main = join(project, 'node_modules/platform-apiserver/dist/apiserver/main.js')
  const found: Started[] = []
  for (const program of [process.execPath, ...(await otherNodes())])
    found.push(await tryNode(program, main))
  const executable = await tryExecutable()
  const date = new Date().toISOString().slice(0, 10)
  const { stdout: commit } = await run('git', ['rev-parse', '--short', 'HEAD'], { cwd: root })
  const cells = [
    date,
    commit.trim(),
    String(megabytes),
    String(packages),
    ...found.map(startText),
    executable,
  ]
  const row = `| ${cells.join(' | ')} |\n`
  const head = `| date | commit | MB | packages | start with ${found.map(({ version }) => `Node ${version.split('.')[0]}`).join(' | ')} | executable |\n`
  if (process.argv.includes('--record')) record(head, row)
  const before = existsSync(history) ? readFileSync(history, 'utf8') : head
  process.stdout.write(process.argv.includes('--record') ? before : before + row)
  for (const { version } of found) process.stdout.write(`served with Node ${version}\n`)
  if (megabytes > limits.megabytes || packages > limits.packages)
    throw new Error(
      `an installation takes at most ${limits.megabytes} MB and ${limits.packages} packages`,
    )
}

function startText({ wallMs, processorMs }: Started): string {
  return `${wallMs} ms${processorMs === undefined ? '' : `, ${processorMs} of processor`}`
}

function record(head: string, row: string): void {
  const columns = head.split('|').length - 2
  if (!existsSync(history))
    writeFileSync(
      history,
      `# Installation size\n\n\`make package-check ARGS=--record\` adds a row to this table: the size of the packed program with all packages that npm installs for\nit, and the median time of ${starts} starts on an existing data folder, until the server is ready. Wall-clock times depend on the load of the machine;\nprocessor times depend on it less.\n\n${head}|${'---|'.repeat(columns)}\n`,
    )
  appendFileSync(history, row)
}

async function installPackage(project: string): Promise<void> {
  const { stdout } = await run('npm', ['pack', '--ignore-scripts', '--json', root], { cwd: folder })
  // Sound: npm prints one entry for each archive.
  const [{ filename } = { filename: '' }] = JSON.parse(stdout) as { filename: string }[]
  await install(project, join(folder, filename))
}

async function install(project: string, what: string): Promise<void> {
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{"name":"project","version":"1.0.0"}')
  const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts']
  await run('npm', ['install', ...flags, what], { cwd: project })
}

async function otherNodes(): Promise<string[]> {
  const system = process.platform === 'win32' ? 'win' : process.platform
  const name = `node-${system}-${process.arch}`
  return Promise.all(
    versions.map(async (version) => {
      const project = join(folder, `node-${version}`)
      await install(project, `${name}@${version}`)
      const file = process.platform === 'win32' ? 'node.exe' : 'node'
      return join(project, 'node_modules', name, 'bin', file)
    }),
  )
}

/** Starts the program several times on one folder, each time until it is ready. */
async function tryNode(program: string, main: string): Promise<Started> {
  const { stdout } = await run(program, ['--version'])
  const data = join(folder, 'data')
  rmSync(data, { recursive: true, force: true })
  return { version: stdout.trim().slice(1), ...(await medianStart([program, main], data)) }
}

/**
 * Size and start time of the single executable for this machine, as text; it unpacks itself into a folder of the check.
 */
async function tryExecutable(): Promise<string> {
  const target = `${process.platform}-${process.arch}`
  const [tsx, builder] = [
    join(root, 'node_modules/.bin/tsx'),
    join(root, 'hack/package/executables.ts'),
  ]
  const { stdout } = await run(tsx, [builder, join(folder, 'executable'), target], { cwd: root })
  const program = stdout.trim()
  if (program === '') return 'none for this machine'
  process.env['XDG_CACHE_HOME'] = join(folder, 'cache')
  const { size } = statSync(program)
  const started = await medianStart([program], join(folder, 'data-of-executable'))
  return `${Math.round(size / 1024 / 1024)} MB, ${startText({ version: target, ...started })}`
}

async function medianStart(
  command: readonly string[],
  data: string,
): Promise<Omit<Started, 'version'>> {
  await startOnce(command, data) // creates the folder
  const times = []
  for (let count = 0; count < starts; count++) times.push(await startOnce(command, data))
  times.sort((a, b) => a.wallMs - b.wallMs)
  // Sound: as many as were started.
  return times[Math.floor(starts / 2)] as Omit<Started, 'version'>
}

async function startOnce(
  [program = '', ...main]: readonly string[],
  data: string,
): Promise<Omit<Started, 'version'>> {
  const began = performance.now()
  const args = [...main, 'serve', '--data-dir', data, '--secure-port', '0', '--log-level', 'error']
  const server = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(server, 'exit')
  const timer = setTimeout(() => server.kill('SIGKILL'), startSeconds * 1000)
  try {
    const first = await createInterface(server.stdout)[Symbol.asyncIterator]().next()
    const wallMs = Math.round(performance.now() - began)
    const url = /^serving (https:\S+)$/.exec(String(first.value))?.[1]
    if (url === undefined) throw new Error(`${program} did not serve: ${String(first.value)}`)
    const processorMs = processorTime(server.pid)
    const status = await readiness(url)
    if (status !== 200) throw new Error(`${program}: /readyz responded ${status}`)
    server.kill('SIGTERM')
    // Sound: the first argument of the exit event is the code.
    const [code] = (await ended) as [number | null]
    if (code !== 0) throw new Error(`${program}: the server ended with ${code}`)
    return { wallMs, processorMs }
  } finally {
    clearTimeout(timer)
    server.kill('SIGKILL')
  }
}

/** CPU time of a process on Linux: fields 14 and 15, in hundredths of a second. */
function processorTime(pid: number | undefined): number | undefined {
  const file = `/proc/${pid}/stat`
  if (!existsSync(file)) return undefined
  const fields = readFileSync(file, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

function readiness(url: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/readyz`, { rejectUnauthorized: false }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    sent.on('error', reject)
    sent.end()
  })
}
