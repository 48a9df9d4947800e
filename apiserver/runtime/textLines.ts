/** Width of the message column before fields follow. */
const messageWidth = 32

/**
 * Rewrites JSON log lines for people: time, severity, message, fields. `12:30:05.120 INFO  serving   url=https://…`;
 * values with spaces are quoted, and the stack of an error follows on its own lines.
 */
export function textLines(out: { write(text: string): unknown }): { write(line: string): void } {
  return { write: (line) => void out.write(`${textOf(line)}\n`) }
}

function textOf(line: string): string {
  let parsed: Record<string, unknown>
  try {
    parsed = JSON.parse(line) as Record<string, unknown> // sound: the logger writes objects
  } catch {
    return line.trimEnd()
  }
  const { level, time, msg, err, ...fields } = parsed
  const at = String(time).slice(11, 23)
  const head = `${at} ${String(level).toUpperCase().padEnd(5)} ${String(msg).padEnd(messageWidth)}`
  const shown = Object.entries(fields).map(([name, value]) => ` ${name}=${valueText(value)}`)
  return `${(head + shown.join('')).trimEnd()}${errorText(err)}`
}

function valueText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  // Control characters could move the cursor of a terminal.
  return typeof value === 'string' && /[\s"=\p{Cc}]/u.test(text) ? JSON.stringify(text) : text
}

function errorText(err: unknown): string {
  if (err === undefined) return ''
  const { stack, message } = err as { stack?: string; message?: string } // as written by the logger
  const text = stack ?? message ?? JSON.stringify(err)

  return `\n${text.replace(/[\x00-\x09\x0b-\x1f]/g, ' ')}`.replaceAll('\n', '\n    ')
}
