/**
 * Values of a stream with one JSON value per line, in arrays as they arrived.
 * @throws SyntaxError for a line that is not JSON; the error of the stream. An unfinished last line
 * is dropped: the connection was cut.
 */
export async function* jsonLines(
  body: ReadableStream<Uint8Array>,
): AsyncGenerator<unknown[], void, undefined> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const text = decoder.decode(value, { stream: true })
      const end = text.lastIndexOf('\n')
      if (end < 0) {
        rest += text
        continue
      }
      const lines = (rest + text.slice(0, end)).split('\n')
      rest = text.slice(end + 1)
      yield lines.filter((line) => line !== '').map((line) => JSON.parse(line) as unknown)
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
