import { readFile } from 'node:fs/promises'
import { connect, type DetailedPeerCertificate } from 'node:tls'
import type { Call } from '../base/commandSpec.ts'
import { transportOf, loginInfo } from '../client/session.ts'
import { isDistrust, type Transport, type Trust } from '../client/transport.ts'
import type { LoginInfo } from '../context/platformNames.ts'

/** Server with a trusted certificate. */
export interface TrustedServer {
  transport: Transport
  info: LoginInfo
  trust: Trust
}

/**
 * Connects to a server for a login. Trust comes from flags or an earlier login; otherwise an unknown certificate is
 * shown, and the user is asked once.
 */
export async function reachServer(
  call: Call,
  url: string,
  earlier: Trust | undefined,
): Promise<TrustedServer> {
  const { flags } = call
  const file = flags.string('certificateAuthority')
  const given: Trust = {
    certificateAuthority:
      file === undefined ? earlier?.certificateAuthority : await readFile(file, 'utf8'),
    insecure: flags.is('insecure') || (file === undefined && earlier?.insecure === true),
  }
  try {
    return await reached(call, url, given)
  } catch (error) {
    if (!isDistrust((error as Error).cause)) throw error
    const agreed = await askForTrust(call, url)
    if (agreed === undefined) throw error
    return reached(call, url, agreed)
  }
}

async function reached(call: Call, url: string, trust: Trust): Promise<TrustedServer> {
  const transport = transportOf(call, url, trust)
  return { transport, info: await loginInfo(transport), trust }
}

/** Trust that the user agrees to; undefined: none. */
async function askForTrust({ terminal }: Call, url: string): Promise<Trust | undefined> {
  if (!terminal.isInteractive) return undefined
  const chain = await chainOf(url).catch(() => [])
  const authority = chain.at(-1)
  if (authority === undefined) return undefined
  const isOwnAuthority = chain.length > 1 && authority.subject.CN === authority.issuer.CN
  const { host } = new URL(url)
  terminal.err(
    `The certificate of ${host} is signed by an authority that this machine does not know:`,
  )
  terminal.err(`  ${String(authority.issuer.CN)}, SHA-256 ${authority.fingerprint256}`)
  if (isOwnAuthority) {
    if (!(await terminal.confirm('Trust this authority for this server?'))) return undefined
    return { certificateAuthority: pem(authority.raw) }
  }
  const question =
    'Continue without verifying certificates of this server? Others could then read your access key.'
  return (await terminal.confirm(question)) ? { insecure: true } : undefined
}

/** Certificate chain of a server, leaf first. */
function chainOf(url: string): Promise<DetailedPeerCertificate[]> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const host = hostname.replace(/^\[|\]$/g, '')
    const socket = connect({ host, port: Number(port || 443), rejectUnauthorized: false }, () => {
      const chain: DetailedPeerCertificate[] = []
      let next: DetailedPeerCertificate | undefined = socket.getPeerCertificate(true)
      while (next?.raw !== undefined && !chain.includes(next)) {
        chain.push(next)
        next = next.issuerCertificate
      }
      socket.destroy()
      resolve(chain)
    })
    socket.once('error', reject)
  })
}

function pem(raw: Buffer): string {
  const lines = raw.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}
