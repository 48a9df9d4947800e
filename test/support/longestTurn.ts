/** Longest time in ms for which asynchronous work holds the event loop. */
export async function longestTurn(work: () => Promise<unknown>): Promise<number> {
  let longest = 0
  let last = performance.now()
  let isOver = false
  const look = () => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
    if (!isOver) setImmediate(look)
  }
  setImmediate(look)
  await work().finally(() => {
    isOver = true
    longest = Math.max(longest, performance.now() - last)
  })
  return longest
}
