export interface PemBlock {
  type: string
  hasHeaders: boolean
  der: Buffer
}

const form = /^-----BEGIN ([^\r\n]*?)-----[ \t]*\r?\n([^]*?)^-----END \1-----[ \t]*$/gm

/** The blocks of a text, in order; text between them is skipped. Source: RFC 7468. */
export function pemBlocks(text: string): PemBlock[] {
  return [...text.matchAll(form)].flatMap(([, type = '', body = '']) => {
    const lines = body.split(/\r?\n/)
    const hasHeaders = lines.some((line) => line.includes(':'))
    const base64 = lines.filter((line) => !line.includes(':')).join('')
    const isBase64 = /^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(base64)
    return isBase64 ? [{ type, hasHeaders, der: Buffer.from(base64, 'base64') }] : []
  })
}
