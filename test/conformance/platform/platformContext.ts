import { expect } from 'chai'
import type { Scenario } from '../support/scenario.ts'
import { ServerProcess, type Surroundings } from '../support/serverProcess.ts'
import type {
  OpenWatch,
  PlatformAddress,
  PlatformAnswer,
  PlatformRequest,
  PlatformSender,
} from './platformSender.ts'

export type PlatformScenario = Scenario<PlatformContext>

/** Creates the sender of a client. */
export type SenderTo = (address: PlatformAddress, around: Surroundings) => PlatformSender

/** Origin of the platform's console pages. */
export const consoleOrigin = 'https://console.example.com'

type Request = Omit<PlatformRequest, 'method' | 'path'>

/** User with a key, created by a scenario. */
export interface Person {
  name: string
  key: string
}

/** Context of a scenario: a client, its server, and unique names. */
export class PlatformContext {
  /** Access key created by the first start. */
  readonly adminKey: string
  readonly #server: ServerProcess
  readonly #sender: PlatformSender
  #names = 0

  private constructor(server: ServerProcess, sender: PlatformSender) {
    this.#server = server
    this.#sender = sender
    this.adminKey = server.credentials().token
  }

  static async open(around: Surroundings, label: string, senderTo: SenderTo) {
    const server = new ServerProcess(around, label)
    await server.start(['--cors-allowed-origins', consoleOrigin])
    const { certificateAuthority } = server.credentials()
    const address = { url: server.urls.secure, certificateAuthority }
    return new PlatformContext(server, senderTo(address, around))
  }

  readonly newName = (label: string): string => `${label}-${++this.#names}`

  /** Sends a request and accepts any response. */
  readonly send = async (line: string, request: Request = {}): Promise<PlatformAnswer> =>
    this.#sender.send(this.#request(line, request))

  /**
   * JSON of a response with the status `code`. `line` is method and path, such as `GET users`; the
   * key is the admin's by default.
   */
  readonly call = async (code: number, line: string, request: Request = {}): Promise<unknown> => {
    const { status, text } = await this.send(line, request)
    expect(status, `${line}: ${text}`).to.equal(code)
    return text === '' ? undefined : JSON.parse(text)
  }

  readonly watch = async (path: string, request: Request = {}): Promise<OpenWatch> =>
    this.#sender.open(this.#request(`GET ${path}`, request))

  /** Creates a user with a key. */
  readonly person = async (label: string, spec: object = {}): Promise<Person> => {
    const name = this.newName(label)
    const body = { metadata: { name }, spec: { username: name, subject: name, ...spec } }
    await this.call(201, 'POST users', { body })
    return { name, key: await this.keyOf({ user: name }) }
  }

  /** Creates a key. @returns the bearer token. */
  readonly keyOf = async (spec: object): Promise<string> => {
    const body = { metadata: { name: this.newName('key') }, spec: { type: 'User', ...spec } }
    const made = await this.call(201, 'POST ownedaccesskeys', { body })
    return textAt(made, 'spec', 'key')
  }

  readonly close = async (): Promise<void> => this.#server.stop()

  #request(line: string, request: Request): PlatformRequest {
    const [method = '', path = ''] = line.split(' ')
    return { key: this.adminKey, ...request, method, path }
  }
}

/** Value in a response at a path of keys; undefined: none. */
export function at(value: unknown, ...keys: string[]): unknown {
  return keys.reduce<unknown>(
    // Every value except undefined and null allows reading a property.
    (part, key) => (part as Record<string, unknown> | null | undefined)?.[key],
    value,
  )
}

/** @throws Error if there is no string. */
export function textAt(value: unknown, ...keys: string[]): string {
  const found = at(value, ...keys)
  if (typeof found !== 'string') throw new Error(`no text at ${keys.join('.')}`)
  return found
}
