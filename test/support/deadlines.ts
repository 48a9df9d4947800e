/** Time in ms that `work` takes on a machine that the deadlines of tests are written for. */
const usualMs = 12
const most = 20

/** Factor of all deadlines: how much slower this machine is, with its present load; at least 4, since load may come
 *  later. */
const slowness = Math.min(most, 4 * Math.max(1, measured() / usualMs))

/** A deadline of the usual machine, in ms, as it is for this one. */
export function deadline(usual: number): number {
  return Math.round(usual * slowness)
}

/** Time of fixed work, in ms: the median of three. */
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
