import type { Negotiated } from './negotiate.ts'

/** The format of a response. */
export interface OutputFormat {
  mediaType: string
  pretty: boolean
  convert?: Negotiated['convert']
}
