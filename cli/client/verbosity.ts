import { usageError } from '../base/cliError.ts'

/** Fields with values that are never logged. */
const secretField =
  /^(key|accessKey|token|idToken|accessToken|refreshToken|password|currentPassword|clientSecret|bearerToken|code|code_verifier|kubeConfig|raw|connectorData|data|stringData|client-key-data|client-certificate-data|clientKeyData|kubectl\.kubernetes\.io\/last-applied-configuration)$/
const masked = '***'
const maxBodyCharacters = 1_024

/** Log lines of requests, at the levels of kubectl's `-v`: 6, 7, 8 and 9. */
export class Verbosity {
  readonly #level: number
  readonly #write: (line: string) => void

  /** @throws CliError usage. */
  constructor(given: string | undefined, write: (line: string) => void) {
    this.#level = Number(given ?? 0)
    this.#write = write
    if (!Number.isInteger(this.#level) || this.#level < 0)
      throw usageError(`invalid verbosity "${given}"`, 'Give a number from 0 to 9.')
  }

  get shows(): { requests: boolean; headers: boolean; bodies: boolean } {
    const level = this.#level
    return { requests: level >= 6, headers: level >= 7, bodies: level >= 8 }
  }

  request(method: string, url: string, headers: Readonly<Record<string, unknown>>): void {
    if (!this.shows.headers) return
    this.#write(`${method} ${url}`)
    for (const [name, value] of Object.entries(headers)) {
      const isSecret = /^(authorization|cookie|set-cookie)$/i.test(name)
      this.#write(
        `    ${name}: ${isSecret ? String(value).replace(/^(\w+ )?.*/s, `$1${masked}`) : String(value)}`,
      )
    }
  }

  body(what: string, text: string): void {
    if (!this.shows.bodies || text === '') return
    const shown = maskedText(text)
    const isCut = this.#level < 9 && shown.length > maxBodyCharacters
    const cut = `${shown.slice(0, maxBodyCharacters)} [truncated ${shown.length - maxBodyCharacters} chars]`
    this.#write(`${what}: ${isCut ? cut : shown}`)
  }

  response(line: { method: string; url: string; status: number; milliseconds: number }): void {
    if (!this.shows.requests) return
    this.#write(`${line.method} ${line.url} ${line.status} in ${line.milliseconds} milliseconds`)
  }

  /** Logs a line at the level of requests. */
  note(text: string): void {
    if (this.shows.requests) this.#write(text)
  }
}

/** Body with masked secrets; empty if it is not JSON. */
function maskedText(text: string): string {
  try {
    return JSON.stringify(mask(JSON.parse(text)))
  } catch {
    return `[${text.length} characters that are not JSON]`
  }
}

function mask(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(mask)
  if (typeof value !== 'object' || value === null) return value
  // A table repeats objects and shows cells, none of which is secret by itself.
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      secretField.test(name) ? maskedValue(inner) : mask(inner),
    ]),
  )
}

/** Masks values, but keeps the names of members, which are not secret. */
function maskedValue(value: unknown): unknown {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return Object.fromEntries(Object.keys(value).map((name) => [name, masked]))
  return masked
}
