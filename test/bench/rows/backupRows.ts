import { join } from 'node:path'
import type { ApiServer } from '../apiServer.ts'
import type { Bench } from '../bench.ts'
import { firstLine, startNode } from '../childProcess.ts'
import { fetchBody } from '../fetchBody.ts'
import { revisionOf } from '../revisionOf.ts'
import type { Row } from '../row.ts'
import { createRequest, revisionListRequest, watchRequest } from '../sample.ts'

const count = 100_000
const rate = 500
const load = { watchers: 1, writers: 16, writes: 5_000, rate, start: 0, status: 201 }

/** Backup of a server with 100,000 objects during writes, and its restore. */
export async function backupRows(bench: Bench): Promise<Row[]> {
  const data = bench.newFolder()
  const server = await bench.startServer(data)
  const file = join(bench.newFolder(), 'backup')
  const restored = join(bench.newFolder(), 'restored')
  const request = createRequest(server, 'large')
  await bench.tool.http(server, { connections: 64, count, request, status: 201 })
  const alone = await writes(bench, server, 'alone')
  const going = writes(bench, server, 'beside')
  const backup = await command(bench, ['backup', '--out', file, '--kubeconfig', kubeconfig(data)])
  const beside = await going
  const then = await namesAt(server, backup.revision)
  await server.stop()
  const restore = await command(bench, ['restore', '--from', file, '--data-dir', restored])
  const again = await bench.startServer(restored)
  const now = await namesAt(again)
  await again.stop()
  return [
    {
      id: 'backup-running',
      what: `backup of ${count} objects beside ${rate} writes/s`,
      unit: 's',
      ours: backup.seconds,
      aim: { most: 20 },
    },
    {
      id: 'backup-writes',
      what: `${load.writes} writes, ${rate} a second, beside the backup`,
      unit: 's',
      ours: beside.seconds,
      raw: { value: alone.seconds, what: 'the same without a backup' },
      aim: { most: alone.seconds * 1.2 },
      detail: `write → receipt p99 ${beside.p99Ms.toFixed(0)} ms, without ${alone.p99Ms.toFixed(0)} ms`,
      ...(beside.complete ? {} : { fault: 'not every event was delivered' }),
    },
    {
      id: 'backup-restore',
      what: `restore of ${count} objects into a folder`,
      unit: 's',
      ours: restore.seconds,
      aim: { most: 10 },
      ...(then === now ? {} : { fault: 'it has other objects than the server at its revision' }),
    },
  ]
}

function kubeconfig(data: string): string {
  return join(data, 'kubeconfig')
}

async function writes(bench: Bench, server: ApiServer, prefix: string) {
  const watch = watchRequest(server, await revisionOf(server))
  return bench.tool.watch(server, { ...load, watch, request: createRequest(server, prefix) })
}

/** Runs a command of the server's program, which prints the revision of a backup. */
async function command(
  bench: Bench,
  args: readonly string[],
): Promise<{ seconds: number; revision: string }> {
  const began = performance.now()
  const { process: child } = startNode([bench.serverMain, ...args])
  if (child.stdout === null) throw new Error('a child has no standard output')
  const revision = await firstLine(child.stdout, (line) => / at revision (\d+) /.exec(line)?.[1])
  if (child.exitCode === null) await new Promise((resolve) => child.once('exit', resolve))
  return { seconds: (performance.now() - began) / 1000, revision }
}

/** Names, uids and revisions of all objects, at a revision or now. */
async function namesAt(server: ApiServer, revision?: string): Promise<string> {
  const body = await fetchBody(server, revisionListRequest(server, revision))
  const { items } = JSON.parse(body.toString()) as { items: { metadata: Named }[] }
  return items
    .map(({ metadata: { name, uid, resourceVersion } }) => `${name} ${uid} ${resourceVersion}`)
    .join('\n')
}

interface Named {
  name: string
  uid: string
  resourceVersion: string
}
