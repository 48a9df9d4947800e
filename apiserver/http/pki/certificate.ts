/** A certificate and its private key, both PEM. */
export interface CertifiedKey {
  /** PEM, the leaf first. */
  cert: string
  /** A secret. */
  key: string
}

/** The certificate of a TLS listener. */
export interface ServingCertificate extends CertifiedKey {
  /** PEM of the certificates that clients have to trust; undefined: a given certificate signed by an external CA. */
  ca: string | undefined
  /** PEM of the CA's key, a secret; undefined: the server cannot sign. */
  caKey: string | undefined
  /** End of validity, milliseconds since the epoch. */
  notAfter: number
  /** Messages for the log: a given certificate is served even if it has expired. */
  warnings: readonly string[]
}
