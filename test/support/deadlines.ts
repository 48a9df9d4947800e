/** Time in ms that `work` takes on the machine for which the deadlines of tests are defined. */
const usualMs = 12
const most = 20

/**
 * Factor of all deadlines: how much slower this machine is with its present load; at least 4, since
 * the load may increase.
 */
const slowness = Math.min(most, 4 * Math.max(1, measured() / usualMs))

/** Deadline in ms for this machine, from that of the reference machine. */
export function deadline(usual: number): number {
  return Math.round(usual * slowness)
}

/** Duration of fixed work, in ms: the median of three. */
function measured(): number {
  const times = [0, 1, 2].map(() => {
    const began = performance.now()
    work()
    return performance.now() - began
  })
  return times.sort((one, other) => one - other)[1] ?? usualMs
}

function work(): string[] {
  const lines: string[] = []
  for (let at = 0; at < 20_000; at++) lines.push(JSON.stringify({ at, text: `line ${at}` }))
  return lines.filter((line) => JSON.parse(line) !== undefined)
}
