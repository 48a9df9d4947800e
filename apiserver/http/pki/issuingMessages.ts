import type { CertifiedKey } from './certificate.ts'

export interface FirstCertificates {
  authority: CertifiedKey
  leaf: CertifiedKey
}

/** Input of the thread. */
export interface IssuingSetup {
  role: 'issuing'
  hosts: readonly string[]
  /** Milliseconds since the epoch. */
  now: number
  /** Random bytes for both serial numbers. */
  randomBytes: Uint8Array
}
