/**
 * Longest processor time in ms for which asynchronous work holds the event loop. Processor time, since other programs
 * may hold the machine.
 */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let last = processorMs()
  let isOver = false
  const look = () => {
    const now = processorMs()
    longest = Math.max(longest, now - last)
    last = now
    if (!isOver) setImmediate(look)
  }
  setImmediate(look)
  await work().finally(() => {
    isOver = true
    longest = Math.max(longest, processorMs() - last)
  })
  return longest
}

/** Keeps the processor busy for a time in ms. */
export function keepBusy(ms: number): void {
  const until = processorMs() + ms
  while (processorMs() < until);
}

/** Processor time of this process in ms. */
function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}
