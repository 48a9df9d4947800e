/** Number with its noun: `1 kind`, `1,200 kinds`. @param plural absent: the noun with an s. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? noun : plural}`
}
