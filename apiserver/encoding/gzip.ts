import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

/** Bodies up to this size are sent uncompressed. */
export const gzipThreshold = 128 * 1024

/**
 * Reports whether a client accepts gzip: Accept-Encoding contains the bare word. With a quality it is ignored.
 * Source: reference 1.11.
 */
export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  return acceptEncoding?.split(',').some((token) => token.trim() === 'gzip') ?? false
}

/**
 * Compresses `body` at level 1, off the event loop. The response needs `Content-Encoding: gzip` and `Vary:
 * Accept-Encoding`.
 */
export function gzipBody(body: Buffer): Promise<Buffer> {
  return compress(body, { level: 1 })
}

const compress = promisify(gzip)
