/** `make robustness`: random traffic, faults, and a check of every response. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findEtcd } from '../support/etcd/etcdServer.ts'
import { parseOptions, usage, type RobustnessOptions, type TargetName } from './options.ts'
import { Report } from './report.ts'
import { runRound } from './round.ts'
import { openEtcdTarget } from './targets/etcdTarget.ts'
import { openKubeApiserverTarget } from './targets/kubeApiserverTarget.ts'
import { openLevelTarget } from './targets/levelTarget.ts'
import type { Target, TargetOptions } from './targets/target.ts'

const targets: Readonly<Record<TargetName, (options: TargetOptions) => Promise<Target>>> = {
  etcd: openEtcdTarget,
  level: openLevelTarget,
  'kube-apiserver': openKubeApiserverTarget,
}

/** Reports whether no violation was found. */
async function run(options: RobustnessOptions): Promise<boolean> {
  const { seed, minutes, keep, replicas } = options
  const folder = keep ?? mkdtempSync(join(tmpdir(), 'robustness-'))
  mkdirSync(folder, { recursive: true })
  const report = new Report(options)
  const target = await targets[options.target]({ folder, etcd: findEtcd(), replicas })
  process.once('exit', () => target.killNow())
  const until = performance.now() + minutes * 60_000
  try {
    for (let number = options.round; performance.now() < until; number++) {
      const left = (until - performance.now()) / 1000
      const seconds = Math.round(Math.max(5, Math.min(options.roundSeconds, left)))
      const round = { target, seed, number, clients: options.clients, seconds, folder }
      report.round(number, await runRound({ ...round, faults: options.faults }))
    }
  } catch (error) {
    report.broke(error)
  } finally {
    await target.stop()
  }
  if (keep === undefined && report.isGood) rmSync(folder, { recursive: true, force: true })
  else process.stdout.write(`Data and logs are in ${folder}\n`)
  report.end()
  return report.isGood
}

try {
  const options = parseOptions(process.argv.slice(2))
  if (options === undefined) process.stdout.write(usage)
  else process.exit((await run(options)) ? 0 : 1)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  process.exit(2)
}
