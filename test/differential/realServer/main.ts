/** Compares this server with the real kube-apiserver: `make differential [SEED=…] [ONLY=…] [MINUTES=…]
 *  [REQUESTS=…]`. */
import { parseArgs } from 'node:util'
import { SeededRandom } from '../../conformance/crash/seededRandom.ts'
import { Workspace } from '../../conformance/support/workspace.ts'
import { Findings } from './findings.ts'
import { isKnownClass } from './known.ts'
import { parts } from './parts.ts'
import { realPrograms } from './servers/programs.ts'
import { startServers } from './servers/servers.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    only: { type: 'string', default: '' },
    minutes: { type: 'string', default: '3' },
    // Number of requests compared by each part: with a seed, they are the same on machines of any
    // speed.
    requests: { type: 'string', default: 'Infinity' },
    // Known classes do not make the run fail.
    known: { type: 'boolean', default: false },
  },
})
const write = (text: string) => process.stdout.write(`${text}\n`)

const programs = realPrograms()
if (typeof programs === 'string') {
  write(`skipped: ${programs}`)
} else {
  const only = new RegExp(values.only)
  const isWanted = (title: string) => only.test(title)
  const workspace = new Workspace()
  process.once('exit', () => workspace.close())
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))
  write(`seed ${values.seed}, kube-apiserver ${programs.version}`)
  const findings = new Findings(values.known ? isKnownClass() : undefined)
  const wanted = parts.filter(({ name, titles }) => [name, ...titles].some(isWanted))
  const partMs = (Number(values.minutes) * 60_000) / Math.max(wanted.length, 1)
  for (const part of wanted) {
    // Each part starts with empty servers, so that its findings can be reproduced when it runs
    // alone.
    const servers = await startServers(programs, workspace.folder(part.name), part.setup)
    const until = performance.now() + partMs
    const goesOn = (compared: number) =>
      compared < Number(values.requests) && performance.now() < until
    // Separate for each part, so that the progress of one part does not change the next.
    const random = new SeededRandom(Number(values.seed))
    const ofPart = (title: string) => isWanted(part.name) || isWanted(title)
    const found = findings.add.bind(findings)
    const compared = await part.run({ servers, random, isWanted: ofPart, goesOn, found })
    await servers.stop()
    write(`${part.name}: ${compared} compared, ${findings.count} differ so far`)
  }
  write(`${findings.knownReport()}\n${findings.report()}`)
  process.exit(findings.count === 0 ? 0 : 1)
}
