import type { IncomingMessage } from 'node:http'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip, createInflateRaw } from 'node:zlib'
import { runPaced } from '../meta/waiting/steps.ts'
import { rewrittenPage } from './rewrittenPage.ts'

/** Maximum size in bytes of a page to rewrite; larger pages are passed on unchanged. */
const maxBytes = 8 * 1024 * 1024

const decoders = new Map([
  ['gzip', () => createGunzip()],
  ['deflate', () => createInflateRaw()],
])

/** Reports whether a response is a page whose URLs can be rewritten. */
export function isPage({ headers }: IncomingMessage): boolean {
  const [type = ''] = (headers['content-type'] ?? '').split(';')
  const encoding = headers['content-encoding'] ?? ''
  return type.trim() === 'text/html' && (encoding === '' || decoders.has(encoding))
}

/** Body of a page, decompressed, with its URLs rewritten. */
export async function* pageBody(
  answer: IncomingMessage,
  rewrite: (url: string) => string,
): AsyncGenerator<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  const body = plainBody(answer) as AsyncIterable<Buffer>
  for await (const chunk of body) {
    if (length > maxBytes) {
      yield chunk
      continue
    }
    chunks.push(chunk)
    length += chunk.length
    if (length > maxBytes) yield Buffer.concat(chunks)
  }
  // URLs are ASCII in every encoding that contains ASCII; other bytes stay unchanged.
  if (length <= maxBytes) {
    const page = Buffer.concat(chunks).toString('latin1')
    yield Buffer.from(await runPaced(rewrittenPage(page, rewrite)), 'latin1')
  }
}

function plainBody(answer: IncomingMessage): Readable {
  const decoder = decoders.get(answer.headers['content-encoding'] ?? '')?.()
  // The reader of the result receives the error.
  return decoder === undefined ? answer : pipeline(answer, decoder, () => undefined)
}
