/** Results of one check at one path. */
interface Tally {
  name: string
  root: string
  succeeded: number
  failed: number
  isWell: boolean
}

/** Results of health checks as service level indicators, in Prometheus' text format.
 *  Source: Kubernetes documentation, "Kubernetes Component SLI Metrics"; seen on kube-apiserver 1.37.2. */
export class HealthResults {
  readonly #tallies = new Map<string, Tally>()

  note(root: string, name: string, isWell: boolean): void {
    const key = `${root} ${name}`
    let tally = this.#tallies.get(key)
    if (tally === undefined) {
      tally = { name, root, succeeded: 0, failed: 0, isWell }
      this.#tallies.set(key, tally)
    }
    tally.isWell = isWell
    if (isWell) tally.succeeded++
    else tally.failed++
  }

  /** Metrics as text; a check appears once it has run. */
  text(): string {
    const tallies = [...this.#tallies.values()].sort(byName)
    const gauge = tallies.map((tally) =>
      line('kubernetes_healthcheck', tally, Number(tally.isWell)),
    )
    const counts = tallies.flatMap((tally) => [
      ...counted(tally, 'error', tally.failed),
      ...counted(tally, 'success', tally.succeeded),
    ])
    return [
      '# HELP kubernetes_healthcheck [STABLE] This metric records the result of a single healthcheck.',
      '# TYPE kubernetes_healthcheck gauge',
      ...gauge,
      '# HELP kubernetes_healthchecks_total [STABLE] This metric records the results of all healthcheck.',
      '# TYPE kubernetes_healthchecks_total counter',
      ...counts,
      '',
    ].join('\n')
  }
}

function byName(one: Tally, other: Tally): number {
  const [a, b] = [`${one.name} ${one.root}`, `${other.name} ${other.root}`]
  return a < b ? -1 : Number(a > b)
}

function counted(tally: Tally, status: string, count: number): string[] {
  return count === 0 ? [] : [line('kubernetes_healthchecks_total', tally, count, status)]
}

function line(metric: string, { name, root }: Tally, value: number, status?: string): string {
  const result = status === undefined ? '' : `status="${status}",`
  return `${metric}{name="${name}",${result}type="${root}"} ${value}`
}
