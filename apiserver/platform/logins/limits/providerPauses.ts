const firstMs = 60_000
const longestMs = 30 * 60_000

/** Backoff for failed providers: a minute, doubled each time, up to half an hour. */
export class ProviderPauses {
  readonly #pauses = new Map<string, { lengthMs: number; until: number }>()

  isPaused(provider: string, now: number): boolean {
    return (this.#pauses.get(provider)?.until ?? 0) > now
  }

  answered(provider: string): void {
    this.#pauses.delete(provider)
  }

  failed(provider: string, now: number): void {
    const before = this.#pauses.get(provider)
    // Several requests may have been pending when it failed.
    if (before !== undefined && before.until > now) return
    const lengthMs = before === undefined ? firstMs : Math.min(before.lengthMs * 2, longestMs)
    this.#pauses.set(provider, { lengthMs, until: now + lengthMs })
  }
}
