import { kubeconfig, writeKubeconfig, type KubeconfigContents } from './kubeconfig.ts'

/** The admin's kubeconfig, as text and in its file, which follows the serving certificate. */
export class AdminKubeconfig {
  readonly #file: string | undefined
  #contents: KubeconfigContents

  /** `file`: undefined if none is written. */
  constructor(file: string | undefined, contents: KubeconfigContents) {
    this.#file = file
    this.#contents = contents
  }

  yaml(): string {
    return kubeconfig(this.#contents)
  }

  /** @throws StartError as `writeKubeconfig`. */
  async write(): Promise<void> {
    if (this.#file !== undefined) await writeKubeconfig(this.#file, this.#contents)
  }

  /** Writes the file again if clients have to trust another CA, in PEM; undefined: the system's. */
  async trust(ca: string | undefined): Promise<void> {
    if (ca === this.#contents.caCertificate) return
    this.#contents = { ...this.#contents, caCertificate: ca }
    await this.write()
  }
}
