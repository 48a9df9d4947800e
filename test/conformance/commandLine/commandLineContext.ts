import { expect } from 'chai'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { allCommands } from '../../../cli/tree/allCommands.ts'
import { runToEnd, type Output } from '../support/command.ts'
import { ServerProcess, type Surroundings } from '../support/serverProcess.ts'

/** Names of a server, and the program called under them. */
export interface Profile {
  program: string
  /** API group. */
  group: string
  proxySegment: string
  flags: readonly string[]
}

export const profiles: readonly Profile[] = [
  { program: 'platform', group: 'management.platform', proxySegment: 'kubernetes', flags: [] },
  {
    program: 'acme',
    group: 'management.acme.dev',
    proxySegment: 'k8s',
    flags: [
      ...['--names-platform', 'acme', '--names-domain', 'acme.dev'],
      ...['--names-proxy-segment', 'k8s', '--names-cli-role', 'acme-tool'],
    ],
  },
]

/** Command line of the program, with its expected result. */
export interface Step {
  /** Words after the program, separated by spaces. */
  line: string
  input?: string
  env?: Record<string, string>
  /** Exit code; default 0. */
  code?: number
  /** Standard output; default: nothing. */
  out?: string | RegExp
  /** Standard error; default: not compared. */
  err?: string | RegExp
}

const timeoutSeconds = 90

/** The built server with a names profile, and home folders for users of the built client. */
export class CommandLineContext {
  readonly profile: Profile
  readonly #around: Surroundings
  readonly #server: ServerProcess
  /** Folder with the program under each name. */
  readonly #bin: string
  readonly #folder: string
  readonly #tried = new Set<string>()

  private constructor(around: Surroundings, profile: Profile, server: ServerProcess) {
    this.profile = profile
    this.#around = around
    this.#server = server
    this.#folder = around.workspace.folder(`command-line-${profile.program}`)
    this.#bin = join(this.#folder, 'bin')
    mkdirSync(this.#bin)
    const program = join(dirname(around.program), '../cli/main.js')
    for (const prefix of ['', 'kubectl-', 'kubectl_complete-'])
      symlinkSync(program, join(this.#bin, prefix + profile.program))
  }

  static async open(around: Surroundings, profile: Profile): Promise<CommandLineContext> {
    const server = new ServerProcess(around, `command-line-${profile.program}`)
    await server.start(profile.flags)
    const context = new CommandLineContext(around, profile, server)
    context.file('ca.crt', server.credentials().certificateAuthority.toString())
    await context.login('admin', context.adminKey)
    // Only virtual clusters with an endpoint have kubeconfigs that work without the program.
    await server.client().create(`/apis/${profile.group}/v1/virtualclustertemplates`, {
      metadata: { name: 'small' },
      spec: { template: { accessPoint: { ingress: { enabled: true } } } },
    })
    return context
  }

  get url(): string {
    return this.#server.urls.secure
  }

  get adminKey(): string {
    return this.#server.credentials().token
  }

  file(name: string, text: string): string {
    const path = this.path(name)
    writeFileSync(path, text)
    return path
  }

  path(name: string): string {
    return join(this.#folder, name)
  }

  /** Logs in with a key, with separate settings and a separate kubeconfig. */
  async login(home: string, key: string): Promise<void> {
    mkdirSync(this.path(home), { recursive: true })
    const trust = `--certificate-authority ${this.path('ca.crt')}`
    const line = `login ${this.url} --name test ${trust} --access-key`
    await this.check({ line, input: key, err: /Logged in to .* Context: test\./ }, home)
  }

  /** Runs a step, and compares its result. */
  async check(step: Step, home = 'admin'): Promise<Output> {
    const words = step.line.split(' ').filter((word) => word !== '')
    const command = allCommands.find(({ words: own }) => `${step.line} `.startsWith(`${own} `))
    if (command !== undefined) this.#tried.add(command.words)
    const { input, env } = step
    const done = await this.run([this.profile.program, ...words], { home, input, env })
    const what = `${step.line}: ${done.stdout}${done.stderr}`
    expect(done.code, what).to.equal(step.code ?? 0)
    compare(done.stdout, step.out ?? '', what)
    if (step.err !== undefined) compare(done.stderr, step.err, what)
    return done
  }

  /** Standard output of a step that prints one word, such as a key. */
  async word(line: string, home = 'admin'): Promise<string> {
    return (await this.check({ line, out: /^\S+\n$/ }, home)).stdout.trim()
  }

  /** Runs a program with the environment of a home. */
  async run(
    [name = '', ...args]: readonly string[],
    given: { home?: string; input?: string | undefined; env?: Record<string, string> | undefined },
  ): Promise<Output> {
    const { home = 'admin', input = '', env = {} } = given
    const own = this.path(home)
    const all = {
      PATH: [this.#bin, process.env['PATH']].join(delimiter),
      HOME: own,
      [`${this.profile.program.toUpperCase()}_HOME`]: own,
      KUBECONFIG: join(own, 'kubeconfig'),
      HELM_CACHE_HOME: own,
      HELM_CONFIG_HOME: own,
      HELM_DATA_HOME: own,
      ...env,
    }
    const program = name === this.profile.program ? join(this.#bin, name) : name
    const options = { env: all, input, timeoutSeconds, cwd: this.#folder }
    return runToEnd(this.#around.workspace, [program, ...args], options)
  }

  /** Commands without a step. */
  get untried(): string[] {
    return allCommands.map(({ words }) => words).filter((words) => !this.#tried.has(words))
  }

  readonly close = async (): Promise<void> => this.#server.stop()
}

function compare(text: string, wanted: string | RegExp, what: string): void {
  if (typeof wanted === 'string') expect(text, what).to.equal(wanted)
  else expect(text, what).to.match(wanted)
}
