import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runToEnd } from '../support/command.ts'
import { ServerProcess, type Surroundings } from '../support/serverProcess.ts'

export interface CurlAnswer {
  status: number
  contentType: string
  body: string
}

interface CurlRequest {
  method: string
  /** Path below {api_base} of the specification, or absolute if it starts with a slash. */
  path: string
  contentType?: string
  body?: string
  /** Additional arguments, such as headers. */
  more?: string[]
}

const apiBase = '/kubernetes/management/apis/management.platform/v1/'

/** curl with the server's certificate authority and the admin's access key. */
export class CurlContext {
  readonly #around: Surroundings
  readonly #server: ServerProcess
  readonly #authority: string

  private constructor(around: Surroundings, server: ServerProcess) {
    this.#around = around
    this.#server = server
    this.#authority = join(around.workspace.folder('curl'), 'ca.crt')
    writeFileSync(this.#authority, server.credentials().certificateAuthority)
  }

  static async open(around: Surroundings): Promise<CurlContext> {
    const server = new ServerProcess(around, 'curl')
    await server.start()
    return new CurlContext(around, server)
  }

  readonly send = async (request: CurlRequest): Promise<CurlAnswer> => {
    const { method, path, contentType, body, more = [] } = request
    const { token } = this.#server.credentials()
    const url = this.#server.urls.secure + (path.startsWith('/') ? path : apiBase + path)
    const parts = ['--silent', '--show-error', '--cacert', this.#authority, '-X', method]
    parts.push('--header', `Authorization: Bearer ${token}`)
    if (contentType !== undefined) parts.push('--header', `Content-Type: ${contentType}`)
    if (body !== undefined) parts.push('--data-binary', '@-')
    parts.push('--write-out', '\\n%{http_code} %{content_type}', ...more, url)
    const { code, stdout, stderr } = await runToEnd(this.#around.workspace, ['curl', ...parts], {
      input: body ?? '',
    })
    if (code !== 0) throw new Error(`curl ended with ${code}: ${stderr}`)
    return answerOf(stdout)
  }

  async close(): Promise<void> {
    await this.#server.stop()
  }
}

/** Body, followed by the line added by --write-out. */
function answerOf(stdout: string): CurlAnswer {
  const end = stdout.lastIndexOf('\n')
  const [status = '', contentType = ''] = stdout.slice(end + 1).split(' ')
  return { status: Number(status), contentType, body: stdout.slice(0, end) }
}
