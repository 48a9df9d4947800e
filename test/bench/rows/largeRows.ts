import { join } from 'node:path'
import { residentBytes } from '../childProcess.ts'
import type { Bench } from '../bench.ts'
import { fetchBody } from '../fetchBody.ts'
import { median, type Row } from '../row.ts'
import { createRequest, listRequest } from '../sample.ts'

/** Number of objects to which the goals apply. */
const usual = 100_000

/** Server with many objects. */
export async function largeRows(bench: Bench): Promise<Row[]> {
  const count = bench.options.objects
  const folder = bench.newFolder()
  const filled = await bench.startServer(folder)
  const request = createRequest(filled, 'large')
  await bench.tool.http(filled, { connections: 128, count, request, status: 201 })
  const written = residentBytes(filled.pid)
  await filled.stop()
  const starts: number[] = []
  const scans: number[] = []
  const memories: number[] = []
  for (let round = 0; round < bench.options.rounds; round++) {
    const server = await bench.startServer(folder)
    starts.push(server.startMs)
    // The first request fills the resource's cache.
    await fetchBody(server, listRequest(server, 'none=none'))
    memories.push(residentBytes(server.pid))
    await server.stop()
    scans.push(await bench.storageProbe('scan', { folder: join(folder) }))
  }
  const what = 'bare read of the same database'
  const objects = `${count.toLocaleString('en')} objects`
  const isUsual = count === usual
  return [
    {
      id: 'large-start',
      what: `start with ${objects} → first answer`,
      ours: median(starts),
      unit: 'ms',
      raw: { value: median(scans), what },
      ...(isUsual ? { aim: { most: 1500 } } : {}),
    },
    {
      id: 'large-memory',
      what: `memory with ${objects} (RSS)`,
      ours: median(memories) / 1e9,
      unit: 'GB',
      ...(isUsual ? { aim: { most: 0.8 } } : {}),
      detail: `${(written / 1e9).toFixed(2)} GB right after writing them`,
    },
  ]
}
