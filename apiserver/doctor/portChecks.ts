import { request } from 'node:https'
import { connect, createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { messageOf } from '../meta/messageOf.ts'
import { baseUrl } from '../runtime/baseUrl.ts'
import { failed, fine, warning, type Finding } from '../runtime/finding.ts'
import type { ServerOptions } from '../runtime/options/serverOptions.ts'
import { systemReason } from '../runtime/systemReason.ts'

const patienceMs = 5_000
const check = 'port'

interface Port {
  flag: string
  address: string
  port: number
}

/**
 * Checks that the server can listen. `isInUse`: a running server has the data folder open, so its ports are taken.
 */
export async function checkPorts(options: ServerOptions, isInUse: boolean): Promise<Finding[]> {
  const { bindAddress, securePort, insecurePort } = options
  const secure = { flag: '--secure-port', address: bindAddress, port: securePort }
  const findings = [await checkPort(secure, isInUse ? () => readiness(secure) : undefined)]
  if (insecurePort === undefined) return findings
  const insecure = { flag: '--insecure-port', address: '127.0.0.1', port: insecurePort }
  const served = fine(check, `${nameOf(insecure)} is in use, as by the running server`)
  return [...findings, await checkPort(insecure, isInUse ? async () => served : undefined)]
}

async function checkPort(port: Port, ofRunning?: () => Promise<Finding>): Promise<Finding> {
  if (port.port === 0) return fine(check, `any free port of ${port.address} is used`)
  const error = await listenError(port)
  if (error === undefined) return fine(check, `${nameOf(port)} is free`)
  if (error.code === 'EADDRINUSE' && ofRunning !== undefined) return ofRunning()
  const why = systemReason(error) ?? error.message
  return failed(check, `cannot listen on ${nameOf(port)}: ${why}`, adviceFor(error.code, port.flag))
}

function adviceFor(code: string | undefined, flag: string): string {
  if (code === 'EADDRINUSE') return `end the other program, or choose another port with ${flag}`
  if (code === 'EADDRNOTAVAIL') return 'name an address of this machine with --bind-address'
  if (code === 'EACCES')
    return `choose a port above 1023 with ${flag}, or permit the user to take it`
  return `choose another address or port with --bind-address and ${flag}`
}

function nameOf({ address, port }: Port): string {
  return `${address} port ${port}`
}

function listenError({ address, port }: Port): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', resolve)
    server.listen({ host: address, port, exclusive: true }, () =>
      server.close(() => resolve(undefined)),
    )
  })
}

/** Asks the running server whether it is ready. */
async function readiness({ address, port }: Port): Promise<Finding> {
  const url = `${baseUrl('https', address, port)}/readyz`
  try {
    const { status, body } = await get(url)
    if (status === 200) return fine(check, `the running server is ready: ${url}`)
    const why = body.split('\n').find((line) => line.startsWith('[-]')) ?? `it answers ${status}`
    return warning(check, `the running server is not ready: ${why}`, 'read its log')
  } catch (error) {
    const said = messageOf(error)
    return failed(
      check,
      `the data folder is open in a running server, but ${url} does not answer: ${said}`,
      'give this command the settings of that server, or read its log',
    )
  }
}

function get(url: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    // The certificate is checked separately; here it only matters whether a server responds.
    const sent = request(url, { rejectUnauthorized: false, timeout: patienceMs }, (response) => {
      text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject)
    })
    sent.on('timeout', () => sent.destroy(new Error(`no response within ${patienceMs} ms`)))
    sent.on('error', reject)
    sent.end()
  })
}

/** Checks that each member of etcd can be reached. */
export function checkEtcd({ storage, etcd }: ServerOptions): Promise<Finding[]> {
  const servers = storage === 'etcd' ? etcd.servers : []
  return Promise.all(servers.map(checkMember))
}

async function checkMember(server: string): Promise<Finding> {
  const { hostname, port } = new URL(server)
  const error = await new Promise<Error | undefined>((resolve) => {
    const socket = connect({ host: hostname.replace(/^\[|\]$/g, ''), port: Number(port) })
    socket.setTimeout(patienceMs, () =>
      socket.destroy(new Error(`no response within ${patienceMs} ms`)),
    )
    socket.once('connect', () => socket.destroy())
    socket.once('error', resolve)
    socket.once('close', () => resolve(undefined))
  })
  if (error === undefined) return fine('etcd', `${server} takes connections`)
  return failed(
    'etcd',
    `${server} cannot be reached: ${systemReason(error) ?? error.message}`,
    'start this member, or correct --etcd-servers',
  )
}
