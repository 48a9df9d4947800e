/**
 * Reads the body of another server's response, without trusting its size. @throws Error if it
 * exceeds `maxBytes`.
 */
export async function boundedBytes(
  answer: AsyncIterable<unknown>,
  maxBytes: number,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of answer) {
    // Without an encoding, a response yields buffers.
    const bytes = chunk as Buffer
    size += bytes.length
    if (size > maxBytes) throw new Error('the response is too large')
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}
