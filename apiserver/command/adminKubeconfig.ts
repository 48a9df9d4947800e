import { kubeconfig, writeKubeconfig, type KubeconfigContents } from './kubeconfig.ts'

/**
 * Kubeconfig of the admin, as a string and as a file, which is updated with the serving
 * certificate.
 */
export class AdminKubeconfig {
  readonly #file: string | undefined
  #contents: KubeconfigContents

  /** @param file undefined: no file is written. */
  constructor(file: string | undefined, contents: KubeconfigContents) {
    this.#file = file
    this.#contents = contents
  }

  yaml(): string {
    return kubeconfig(this.#contents)
  }

  /** Writes the file. @throws StartError as for `writeKubeconfig`. */
  async write(): Promise<void> {
    if (this.#file !== undefined) await writeKubeconfig(this.#file, this.#contents)
  }

  /**
   * Rewrites the file if clients have to trust another CA. @param ca PEM; undefined: the system's
   * trust store.
   */
  async trust(ca: string | undefined): Promise<void> {
    if (ca === this.#contents.caCertificate) return
    this.#contents = { ...this.#contents, caCertificate: ca }
    await this.write()
  }
}
