import type { CertifiedKey } from './certificate.ts'

/** What a server that has none begins with. */
export interface FirstCertificates {
  authority: CertifiedKey
  leaf: CertifiedKey
}

/** What the thread is started with. */
export interface IssuingSetup {
  role: 'issuing'
  hosts: readonly string[]
  /** Milliseconds since 1970. */
  now: number
  /** Enough for both serial numbers. */
  randomBytes: Uint8Array
}
