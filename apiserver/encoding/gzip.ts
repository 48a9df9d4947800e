import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

/** Answers of up to so many bytes are sent as they are. */
export const gzipThreshold = 128 * 1024

/** Whether a client takes gzip: the bare word stands in Accept-Encoding. With a quality it does not count.
 *  Source: reference 1.11. */
export function acceptsGzip(acceptEncoding: string | undefined): boolean {
  return acceptEncoding?.split(',').some((token) => token.trim() === 'gzip') ?? false
}

/** `body` compressed at level 1, off the event loop. The answer needs `Content-Encoding: gzip` and
 *  `Vary: Accept-Encoding`. */
export function gzipBody(body: Buffer): Promise<Buffer> {
  return compress(body, { level: 1 })
}

const compress = promisify(gzip)
