/** Label changes in lines `key=value` and `key-`, as a merge patch; undefined: no changes, or an invalid line. */
export function labelChanges(text: string): Record<string, string | null> | undefined {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const changes = lines.map((line) => /^([\w./-]*\w)(?:=([\w.-]*)|-)$/.exec(line))
  if (changes.length === 0 || changes.includes(null)) return undefined
  return Object.fromEntries(changes.map((change) => [change?.[1] ?? '', change?.[2] ?? null]))
}
