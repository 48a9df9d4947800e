import { anonymousUser } from '../endpoints/entry.ts'
import type { Exchange, Plane } from '../endpoints/exchange.ts'
import { start } from '../endpoints/response/response.ts'
import { routeMethodNotAllowed, routeNotFound } from '../meta/statusErrors.ts'
import { pageName, type ConsoleFile, type ConsoleFiles, type Encoding } from './consoleFiles.ts'
import { consolePath, redirectOf } from './consolePaths.ts'
import { consoleHeaders, safeHeaders } from './consolePolicy.ts'

export interface ConsoleServices {
  files: ConsoleFiles
  /** `uiSettings` of the effective configuration. */
  uiSettings: () => Readonly<Record<string, unknown>>
}

/**
 * Plane for the console's paths in the filter chain. The files are public, since users log in
 * through them, so anyone may read them.
 */
export function consolePlane(
  management: Pick<Plane, 'resources' | 'storeOf'>,
  services: ConsoleServices,
): Plane {
  return {
    get resources() {
      return management.resources
    },
    storeOf: (resource) => management.storeOf(resource),
    authenticator: {
      authenticate: () => anonymousUser,
      authenticateConnection: () => anonymousUser,
    },
    authorize: ({ verb }) => ({ allowed: verb !== 'impersonate', reason: '' }),
    serveDocument: async (exchange) => {
      await serveConsole(exchange, services)
      return true
    },
  }
}

/**
 * Serves a file of the console. Source: RFC 9110, sections 12.5.3 and 13.1.2; RFC 8246. @throws StatusError 404, 405.
 */
async function serveConsole(exchange: Exchange, services: ConsoleServices): Promise<void> {
  const { method, path, request } = exchange
  if (method !== 'GET' && method !== 'HEAD') throw routeMethodNotAllowed()
  const target = redirectOf(path, request.headers)
  if (target !== undefined) return redirect(exchange, target)
  const name = path.slice(consolePath.length + 1) || pageName
  const file = await services.files.find(name)
  if (file === undefined) throw routeNotFound()
  const encoding = file.encodings.find((one) => accepts(request.headers['accept-encoding'], one))
  const headers = headersOf(file, { encoding, isPage: name === pageName, services })
  if (isKnown(request.headers['if-none-match'], headers['ETag'] ?? '')) {
    start(exchange, 304, headers)
    exchange.response.end()
    return
  }
  const body = await services.files.read(name, encoding)
  start(exchange, 200, { ...headers, 'Content-Type': file.type, 'Content-Length': body.length })
  exchange.response.end(method === 'HEAD' ? undefined : body)
}

function redirect(exchange: Exchange, target: string): void {
  start(exchange, 302, { Location: target, Vary: 'Accept', 'Content-Length': 0 })
  exchange.response.end()
}

interface Served {
  encoding: Encoding | undefined
  isPage: boolean
  services: ConsoleServices
}

function headersOf(
  file: ConsoleFile,
  { encoding, isPage, services }: Served,
): Record<string, string> {
  return {
    ...(isPage ? consoleHeaders(services.uiSettings()) : safeHeaders),
    'Cache-Control': file.isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    // Encodings of a file need different tags.
    ETag: `"${file.tag}${encoding === undefined ? '' : `-${encoding}`}"`,
    Vary: 'Accept-Encoding',
    ...(encoding === undefined ? {} : { 'Content-Encoding': contentEncodings[encoding] }),
  }
}

const contentEncodings: Readonly<Record<Encoding, string>> = { br: 'br', gz: 'gzip' }

/**
 * Reports whether a client accepts an encoding by name. `*` is ignored, since every browser sends
 * names.
 */
function accepts(header: string | string[] | undefined, encoding: Encoding): boolean {
  return String(header ?? '')
    .split(',')
    .some((part) => {
      const [name = '', weight = ''] = part.split(';').map((text) => text.trim().toLowerCase())
      return name === contentEncodings[encoding] && !/^q=0(\.0*)?$/.test(weight)
    })
}

function isKnown(given: string | undefined, etag: string): boolean {
  if (given === undefined) return false
  const tags = given.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes(etag) || given.trim() === '*'
}
