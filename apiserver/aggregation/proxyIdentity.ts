import { readFile } from 'node:fs/promises'

/** Certificate by which this server is a front proxy of others. */
export interface ClientCertificate {
  /** PEM. */
  cert: string
  key: string
}

export interface ProxyIdentityFiles {
  proxyClientCertFile: string | undefined
  proxyClientKeyFile: string | undefined
}

/** The client certificate for other servers, as read from its files. */
export class ProxyIdentity {
  readonly #files: ProxyIdentityFiles
  readonly #report: (error: unknown) => void
  #current: ClientCertificate | undefined

  constructor(files: ProxyIdentityFiles, report: (error: unknown) => void) {
    this.#files = files
    this.#report = report
  }

  /** undefined: none is shown. */
  get current(): ClientCertificate | undefined {
    return this.#current
  }

  /** Reads the files again; if that fails, the certificate stays. */
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
