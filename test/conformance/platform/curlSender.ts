import { expect } from 'chai'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { RunningCommand, runToEnd } from '../support/command.ts'
import { eventually } from '../support/eventually.ts'
import type { Workspace } from '../support/workspace.ts'
import {
  bodyType,
  wholePath,
  type OpenWatch,
  type PlatformAddress,
  type PlatformAnswer,
  type PlatformRequest,
  type PlatformSender,
} from './platformSender.ts'

/** The command-line HTTP client with the headers shown in documentation. */
export class CurlSender implements PlatformSender {
  readonly #workspace: Workspace
  readonly #url: string
  readonly #authority: string

  constructor(workspace: Workspace, { url, certificateAuthority }: PlatformAddress) {
    this.#workspace = workspace
    this.#url = url
    this.#authority = join(workspace.folder('curl-platform'), 'ca.crt')
    writeFileSync(this.#authority, certificateAuthority)
  }

  async send(request: PlatformRequest): Promise<PlatformAnswer> {
    const command = this.#command(request, ['--write-out', '\\n%{http_code}'])
    const input = request.body === undefined ? '' : JSON.stringify(request.body)
    const { code, stdout, stderr } = await runToEnd(this.#workspace, command, { input })
    if (code !== 0) throw new Error(`curl ended with ${code}: ${stderr}`)
    const end = stdout.lastIndexOf('\n')
    return { status: Number(stdout.slice(end + 1)), text: stdout.slice(0, end) }
  }

  async open(request: PlatformRequest): Promise<OpenWatch> {
    const head = join(this.#workspace.folder('curl-watch'), 'head')
    const command = this.#command(request, ['--no-buffer', '--dump-header', head])
    const running = new RunningCommand(this.#workspace, command, {})
    // curl writes headers to a file as they arrive, but to standard output only with the body.
    await eventually(() => expect(readFileSync(head, 'utf8')).to.match(/^HTTP\/\S+ 200/))
    return {
      until: (part) => running.until(({ stdout }) => stdout.includes(part)),
      ended: async () => (await running.done).stdout,
    }
  }

  #command(request: PlatformRequest, more: string[]): string[] {
    const { method, path, key, body } = request
    const headers = {
      ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
      ...bodyType(request),
      ...request.headers,
    }
    const lines = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
    const data = body === undefined ? [] : ['--data-binary', '@-']
    const always = ['curl', '--silent', '--show-error', '--cacert', this.#authority]
    return [...always, '-X', method, ...lines, ...data, ...more, this.#url + wholePath(path)]
  }
}
