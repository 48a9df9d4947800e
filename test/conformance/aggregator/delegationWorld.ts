import { writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import type { PeerPrograms } from '../../peer/peerPrograms.ts'
import { startPeer, type PeerServer } from '../../peer/peerServer.ts'
import { authority, certificate, type Issued } from '../../support/certificates.ts'
import { ServerProcess, type Surroundings } from '../support/serverProcess.ts'
import { makeUser } from './delegates.ts'

export interface PeerAnswer {
  status: number
  body: { message?: string; items?: unknown[] }
}

export interface PeerRequest {
  /** A bearer token. */
  token?: string
  certificate?: Issued
  headers?: Record<string, string | string[]>
  path?: string
}

const flunders = '/apis/wardle.example.com/v1alpha1/namespaces/default/flunders'

/**
 * The built server as the core, and the sample API server of the real library, which delegates all
 * reviews to it.
 */
export class DelegationWorld {
  readonly core: ServerProcess
  tokens = { admin: '', bob: '' }
  #peer: PeerServer | undefined
  #authorities: { clients: Issued; frontProxy: Issued } | undefined

  private constructor(around: Surroundings) {
    this.core = new ServerProcess(around, 'delegation-core')
  }

  static async open(around: Surroundings, programs: PeerPrograms): Promise<DelegationWorld> {
    const world = new DelegationWorld(around)
    try {
      await world.#start(around.workspace.folder('delegation'), programs)
      return world
    } catch (error) {
      await world.close()
      throw error
    }
  }

  /** Certificate that the core accepts from a client, or from a front proxy. */
  issue(by: 'clients' | 'frontProxy', subject: { cn: string; o?: string[] }): Promise<Issued> {
    return certificate(subject, this.#authorities?.[by])
  }

  /** Sends a request to the sample API server. */
  ask({ token, certificate: shown, headers, path = flunders }: PeerRequest): Promise<PeerAnswer> {
    const bearer = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const tls = shown === undefined ? {} : { cert: shown.cert, key: shown.key }
    const options = {
      ...tls,
      port: this.#peer?.port,
      host: '127.0.0.1',
      path,
      headers: { ...bearer, ...headers },
      // The server creates a self-signed certificate at every start.
      rejectUnauthorized: false,
      agent: false,
    } as const
    return new Promise((resolve, reject) => {
      request(options, (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (part: string) => (text += part))
        answer.once('end', () => {
          // The response is an object of the API, or a Status.
          const body = JSON.parse(text) as PeerAnswer['body']
          resolve({ status: answer.statusCode ?? 0, body })
        })
      })
        .on('error', reject)
        .end()
    })
  }

  async close(): Promise<void> {
    await this.#peer?.stop()
    await this.core.stop()
  }

  async #start(folder: string, programs: PeerPrograms): Promise<void> {
    const authorities = {
      clients: await authority('client-ca'),
      frontProxy: await authority('front-proxy-ca'),
    }
    this.#authorities = authorities
    const file = (name: 'clients' | 'frontProxy') => {
      const path = join(folder, `${name}.crt`)
      writeFileSync(path, authorities[name].cert)
      return path
    }
    await this.core.start([
      `--client-ca-file=${file('clients')}`,
      `--requestheader-client-ca-file=${file('frontProxy')}`,
      '--requestheader-allowed-names=front-proxy',
    ])
    const { token } = this.core.credentials()
    this.tokens = { admin: token, bob: await makeUser(this.core.client(), 'bob') }
    const core = { kubeconfig: this.core.kubeconfig, token, tellsCertificates: true }
    this.#peer = await startPeer(programs, core, join(folder, 'peer'))
  }
}
