import { readFile } from 'node:fs/promises'

/** Client certificate of this server in its role as a front proxy. */
export interface ClientCertificate {
  /** PEM. */
  cert: string
  key: string
}

export interface ProxyIdentityFiles {
  proxyClientCertFile: string | undefined
  proxyClientKeyFile: string | undefined
}

/** Client certificate for other servers, read from its files. */
export class ProxyIdentity {
  readonly #files: ProxyIdentityFiles
  readonly #report: (error: unknown) => void
  #current: ClientCertificate | undefined

  constructor(files: ProxyIdentityFiles, report: (error: unknown) => void) {
    this.#files = files
    this.#report = report
  }

  /** Current certificate; undefined: none. */
  get current(): ClientCertificate | undefined {
    return this.#current
  }

  /** Reads the files again; if that fails, the current certificate is kept. */
  async refresh(): Promise<void> {
    const { proxyClientCertFile: certFile, proxyClientKeyFile: keyFile } = this.#files
    if (certFile === undefined || keyFile === undefined) return
    try {
      const [cert, key] = await Promise.all([readFile(certFile, 'utf8'), readFile(keyFile, 'utf8')])
      const isSame = cert === this.#current?.cert && key === this.#current.key
      if (!isSame) this.#current = { cert, key }
    } catch (error) {
      this.#report(error)
    }
  }
}
