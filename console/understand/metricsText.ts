/** Samples of a metrics page, by name: the sum over matching labels. Source: Prometheus text format 0.0.4. */
export class Samples {
  readonly #lines: readonly string[]

  constructor(text: string) {
    this.#lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  }

  /** Sum of the samples of a name with these labels; undefined: no such sample. */
  sum(name: string, labels: Readonly<Record<string, string>> = {}): number | undefined {
    const wanted = Object.entries(labels).map(([key, value]) => `${key}="${value}"`)
    let total: number | undefined
    for (const line of this.#lines) {
      const next = line[name.length]
      if (!line.startsWith(name) || (next !== ' ' && next !== '{')) continue
      if (!wanted.every((label) => line.includes(label))) continue
      const value = Number(line.slice(line.lastIndexOf(' ') + 1))
      if (Number.isFinite(value)) total = (total ?? 0) + value
    }
    return total
  }
}
