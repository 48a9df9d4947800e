import { cpSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { inParallel } from '../../support/inParallel.ts'
import { fileDamages, type FileDamage } from '../../support/fileDamage.ts'
import { apiVersion, namespaceObject, namespacesPath, secretsPath } from '../support/objects.ts'
import type { Surroundings } from '../support/serverProcess.ts'
import { FolderServer, namespace, type Acknowledged } from './damagedFolder.ts'

const path = secretsPath(namespace)
const objectsPerRound = 20
const rounds = 4
/** Number of concurrent servers. */
const lanes = 2
/** Sampling of refused starts: one in this many is repeated with the loss accepted. */
const acceptedOf = 4
const leastCases = 200
/** Files without data: a start without them is a normal start. */
const isNoData = /^db\/(LOG(\.old)?|LOCK)$/

/** Folder of a stopped server, and its acknowledged writes. */
interface Stopped {
  name: string
  folder: string
  acknowledged: Acknowledged
}

export interface Sums {
  whole: number
  refused: number
  accepted: number
}

/** Damages copies of two folders, one after a clean stop and one after a kill. */
export class DamageTest {
  readonly #around: Surroundings
  readonly #sums: Sums = { whole: 0, refused: 0, accepted: 0 }
  readonly #wrong: string[] = []

  constructor(around: Surroundings) {
    this.#around = around
  }

  /** @throws Error with all faults. */
  async run(): Promise<Sums> {
    const cases = (await this.#stopped()).flatMap((stopped) =>
      damagesOf(stopped).map((damage) => ({ stopped, damage })),
    )
    if (cases.length < leastCases) throw new Error(`There are only ${cases.length} cases`)
    await inParallel(cases, lanes, ({ stopped, damage }) => this.#case(stopped, damage))
    if (this.#wrong.length > 0) {
      const shown = this.#wrong.slice(0, 40).join('\n')
      throw new Error(`${this.#wrong.length} of ${cases.length} cases:\n${shown}`)
    }
    return this.#sums
  }

  /** Writes and restarts in several rounds, which move the log into tables and merge them. */
  async #stopped(): Promise<Stopped[]> {
    const folder = this.#around.workspace.folder('damage')
    let token = ''
    let acknowledged: Acknowledged | undefined
    let killed: Stopped | undefined
    for (let round = 0; round < rounds; round++) {
      const server = new FolderServer(this.#around, folder, token)
      const ended = await server.start()
      if (ended !== undefined) throw new Error(`A whole folder is refused: ${ended.stderr}`)
      token = readFileSync(join(folder, 'admin-access-key'), 'utf8').trim()
      server.authenticate(token)
      await write(server, round)
      acknowledged = await server.acknowledged()
      if (round === rounds - 1) {
        // The folder is not in use: its bytes are those that a kill would leave.
        const copy = this.#around.workspace.folder('damage')
        cpSync(folder, copy, { recursive: true })
        killed = { name: 'killed', folder: copy, acknowledged }
      }
      await server.end('SIGTERM')
    }
    if (acknowledged === undefined || killed === undefined) throw new Error('nothing was written')
    return [{ name: 'stopped', folder, acknowledged }, killed]
  }

  async #case(stopped: Stopped, damage: FileDamage): Promise<void> {
    const { acknowledged, folder } = stopped
    const server = FolderServer.ofCopy(this.#around, folder, acknowledged.token)
    const say = (what: string) =>
      void this.#wrong.push(`${stopped.name}, ${damage.file}, ${damage.what}: ${what}`)
    try {
      damage.apply(server.folder)
      const ended = await server.start()
      if (ended === undefined) {
        this.#sums.whole++
        await compare(server, acknowledged, say)
      } else await this.#refused(server, { damage, acknowledged, said: ended, say })
    } catch (error) {
      say(String(error))
    } finally {
      await server.end('SIGKILL').catch(() => undefined)
      rmSync(server.folder, { recursive: true })
    }
  }

  async #refused(server: FolderServer, refusal: Refusal): Promise<void> {
    const { damage, say } = refusal
    for (const fault of refusalFaults(refusal)) say(fault)
    if (isNoData.test(damage.file)) say('refused for a file that is no data')
    if (this.#sums.refused++ % acceptedOf > 0 || !damage.file.startsWith('db/')) return
    const ended = await server.start(['--accept-data-loss'])
    if (ended !== undefined) return say(`the loss could not be accepted: ${ended.stderr}`)
    this.#sums.accepted++
    await goOn(server, refusal)
  }
}

interface Refusal {
  damage: FileDamage
  acknowledged: Acknowledged
  said: { code: number | null; stderr: string }
  say: (what: string) => void
}

function damagesOf({ folder }: Stopped): FileDamage[] {
  const places = (file: string) => (file.startsWith('db/') ? 6 : 3)
  const files = new Set(readdirSync(folder, { recursive: true, encoding: 'utf8' }))
  return [...files].flatMap((only) =>
    fileDamages({ folder, places: places(only), wanted: (file) => file === only }),
  )
}

async function write(server: FolderServer, round: number): Promise<void> {
  const client = server.client()
  if (round === 0) await client.create(namespacesPath, namespaceObject(namespace))
  const names = Array.from({ length: objectsPerRound }, (_, at) => `o-${round}-${at}`)
  const object = (name: string) => ({
    apiVersion,
    kind: 'SharedSecret',
    metadata: { name, namespace },
    spec: { displayName: name.padEnd(400, 'x') },
  })
  await Promise.all(names.map((name) => client.create(path, object(name))))
  for (const name of names.slice(0, 5)) {
    await client.mergePatch(`${path}/${name}`, { spec: { description: `round ${round}` } })
  }
  for (const name of names.slice(5, 8)) await client.delete(`${path}/${name}`)
}

/** Checks that every acknowledged write exists. */
async function compare(
  server: FolderServer,
  acknowledged: Acknowledged,
  say: (what: string) => void,
): Promise<void> {
  const found = await server.acknowledged()
  if (found.revision < acknowledged.revision)
    say(`serves revision ${found.revision}, ${acknowledged.revision} was acknowledged`)
  const lost = [...acknowledged.objects].filter(([name, is]) => found.objects.get(name) !== is)
  const more = [...found.objects.keys()].filter((name) => !acknowledged.objects.has(name))
  if (lost.length + more.length > 0) say(`${lost.length} objects are lost, ${more.length} are back`)
}

/** Checks for a sentence on one line, an exit code, and the name of a file. */
function refusalFaults({ said: { code, stderr }, damage }: Refusal): string[] {
  const faults: string[] = []
  if (code !== 1) faults.push(`it ended with ${code}: ${stderr.slice(-300)}`)
  if (/^\s+at /m.test(stderr)) faults.push(`it printed a stack: ${stderr.slice(0, 300)}`)
  const [sentence = ''] = /^platform-apiserver: .+$/m.exec(stderr) ?? []
  // The file itself, or one that no longer matches it.
  if (![damage.file, '/db/', '/pki/'].some((file) => sentence.includes(file)))
    faults.push(`it names no file: ${sentence}`)
  return faults
}

/**
 * Checks that no revision is used twice after an accepted loss, and that older ones are
 * unavailable.
 */
async function goOn(server: FolderServer, { acknowledged, say }: Refusal): Promise<void> {
  const client = server.client()
  const { metadata } = await client.create(namespacesPath, namespaceObject('after-the-loss'))
  const revision = Number(metadata.resourceVersion)
  if (revision <= acknowledged.revision) say(`revision ${revision} is used again`)
  const query = `watch=true&resourceVersion=${acknowledged.revision}&timeoutSeconds=1`
  const { text } = await client.request('GET', `${namespacesPath}?${query}`)
  if (!text.includes('"code":410')) say(`a watch from before the loss is accepted: ${text}`)
}
