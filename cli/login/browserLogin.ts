import { createHash, randomBytes } from 'node:crypto'
import type { Call } from '../base/commandSpec.ts'
import { CliError, exitCodes, usageError } from '../base/cliError.ts'
import { textAt } from '../base/apiObject.ts'
import { jsonIn } from '../client/answers.ts'
import { ApiError } from '../client/apiError.ts'
import type { Transport } from '../client/transport.ts'
import { openInBrowser } from './openInBrowser.ts'
import { Loopback } from './loopback.ts'

const waitSeconds = 600

/** Address of the login page for a client, and the secrets of this login. */
interface Asked {
  page: URL
  verifier: string
  state: string
}

/**
 * Logs in on the platform's pages in a browser of this machine: the code flow with PKCE, and a page on the loopback
 * interface that receives the code. @returns the access key.
 * Source: RFC 8252, 7.3; RFC 7636.
 */
export async function loginInBrowser(call: Call, transport: Transport): Promise<string> {
  const loopback = await Loopback.open()
  try {
    const asked = ask(transport, loopback.address)
    call.terminal.say(`Log in here if no browser opens:\n\n  ${asked.page.href}\n`)
    await openInBrowser(asked.page.href, call.env)
    const code = await loopback.code(asked.state, {
      seconds: call.flags.seconds('timeout') ?? waitSeconds,
      signal: call.signal,
    })
    return await exchange(transport, code, asked.verifier)
  } finally {
    await loopback.close()
  }
}

/** Logs in with a browser on any machine: the user copies a code. @returns the access key. */
export async function loginWithCode(call: Call, transport: Transport): Promise<string> {
  const { terminal } = call
  const asked = ask(transport, undefined)
  terminal.err(`Open this page in a browser, on any machine:\n\n  ${asked.page.href}\n`)
  const code = terminal.isInteractive
    ? await terminal.ask('Code from the page: ')
    : (await terminal.readAll('code from the page')).toString('utf8')
  if (code.trim() === '')
    throw usageError('no code was given', 'Log in on the page, and enter the code that it shows.')
  return exchange(transport, code.trim(), asked.verifier)
}

function ask({ options }: Transport, redirect: string | undefined): Asked {
  const verifier = randomBytes(32).toString('base64url')
  const state = randomBytes(24).toString('base64url')
  const page = new URL(`${options.url}/login`)
  page.search = new URLSearchParams({
    cli: 'true',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    state,
    ...(redirect === undefined ? {} : { redirect_uri: redirect }),
  }).toString()
  return { page, verifier, state }
}

async function exchange(transport: Transport, code: string, verifier: string): Promise<string> {
  const body = { code, code_verifier: verifier }
  const answer = await transport.send({ method: 'POST', path: '/auth/code/token', body })
  if (answer.status >= 300) throw new ApiError(answer)
  return accessKeyIn(answer.text)
}

/** Access key in the response to a login. @throws CliError. */
export function accessKeyIn(text: string): string {
  const accessKey = textAt(jsonIn(text), 'accessKey')
  if (accessKey !== undefined) return accessKey
  throw new CliError('the server answered without an access key', { code: exitCodes.failed })
}
