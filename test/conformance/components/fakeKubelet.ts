import { once } from 'node:events'
import { createServer, type Server } from 'node:https'
import type { AddressInfo } from 'node:net'
import { authority, certificate, serverUse } from '../../support/certificates.ts'

/**
 * Endpoint of nodes that reports the usage of their pods to metrics-server. Processor time
 * increases by a quarter of a core with each request.
 */
export class FakeKubelet {
  readonly #server: Server
  readonly #began = Date.now()

  private constructor(server: Server) {
    this.#server = server
  }

  static async open(): Promise<FakeKubelet> {
    const ca = await authority('kubelet-ca')
    const { cert, key } = await certificate(
      { cn: 'kubelet', uses: [serverUse], hosts: ['127.0.0.1'] },
      ca,
    )
    const server = createServer({ cert, key })
    const kubelet = new FakeKubelet(server)
    server.on('request', (request, response) => {
      const isAsked = request.url === '/metrics/resource'
      response.writeHead(isAsked ? 200 : 404, { 'content-type': 'text/plain; version=0.0.4' })
      response.end(isAsked ? kubelet.#metrics() : '')
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return kubelet
  }

  get port(): number {
    // A listening TCP server has an address object.
    return (this.#server.address() as AddressInfo).port
  }

  close(): void {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  #metrics(): string {
    const now = Date.now()
    const seconds = 100 + ((now - this.#began) / 1000) * 0.25
    const of = 'container="c",namespace="default",pod="busy"'
    return [
      `node_cpu_usage_seconds_total ${seconds} ${now}`,
      `node_memory_working_set_bytes ${512 * 2 ** 20} ${now}`,
      `container_cpu_usage_seconds_total{${of}} ${seconds} ${now}`,
      `container_memory_working_set_bytes{${of}} ${64 * 2 ** 20} ${now}`,
      `container_start_time_seconds{${of}} ${this.#began / 1000 - 3600} ${now}`,
      '',
    ].join('\n')
  }
}
