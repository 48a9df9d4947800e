/** A certificate and its private key, both PEM. */
export interface CertifiedKey {
  /** The certificate itself first. */
  cert: string
  /** A secret. */
  key: string
}

/** What a TLS listener serves with. */
export interface ServingCertificate extends CertifiedKey {
  /** PEM of what clients have to trust; undefined: an own certificate that an outside authority signed. */
  ca: string | undefined
  /** PEM of the authority's key, a secret; undefined: the server cannot sign. */
  caKey: string | undefined
  /** End of validity, milliseconds since the epoch. */
  notAfter: number
  /** Sentences for the log: an own certificate is served even when it has expired. */
  warnings: readonly string[]
}
