/** What a server answered, which is not trusted to be of a size. @throws Error for more than `maxBytes`. */
export async function boundedBytes(
  answer: AsyncIterable<unknown>,
  maxBytes: number,
): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of answer) {
    // Without an encoding a response gives buffers.
    const bytes = chunk as Buffer
    size += bytes.length
    if (size > maxBytes) throw new Error('the answer is too large')
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}
