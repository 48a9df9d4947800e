import { fileURLToPath } from 'node:url'
import { setTimeout as pause } from 'node:timers/promises'
import type { Bench } from '../bench.ts'
import { cpuSeconds, firstLine, startNode, stopChild } from '../childProcess.ts'
import { JsonClient } from '../jsonClient.ts'
import { median, type Row } from '../row.ts'
import {
  copyName,
  countCopies,
  endpointsObject,
  hostPath,
  inParallel,
  makeSyncedCluster,
  serviceName,
  virtualPath,
} from '../syncedCluster.ts'

const expressionProbe = fileURLToPath(new URL('../expressionProbe.ts', import.meta.url))
const count = 2_000
const connections = 8
const writesPerSecond = 50
const steadySeconds = 10

/** A virtual cluster that the same process syncs to its host, and its expressions. */
export async function syncRows(bench: Bench): Promise<Row[]> {
  const server = await bench.startServer()
  const client = new JsonClient(server, connections)
  try {
    await makeSyncedCluster(client)
    const burst = await burstRow(client)
    const steady = await steadyRow(client, () => cpuSeconds(server.pid))
    return [burst, steady, await expressionsRow(bench)]
  } finally {
    client.close()
    await server.stop()
  }
}

async function burstRow(client: JsonClient): Promise<Row> {
  const isAdded = (line: string) => line.startsWith('{"type":"ADDED"') && line.includes('-x-web"')
  const services = await countCopies(client, `${hostPath}/services`, isAdded)
  await inParallel(count, connections, (number) => {
    const spec = { clusterIP: 'None' }
    const metadata = { name: serviceName(number) }
    return client.send('POST', `${virtualPath}/services`, { metadata, spec })
  })
  await services.reached(count)
  services.end()
  const endpoints = await countCopies(client, `${hostPath}/endpoints`, isAdded)
  const began = performance.now()
  await inParallel(count, connections, (number) =>
    client.send('POST', `${virtualPath}/endpoints`, endpointsObject(serviceName(number))),
  )
  const made = performance.now()
  await endpoints.reached(count)
  const done = performance.now()
  endpoints.end()
  const raw = await directPerSecond(client)
  return {
    id: 'sync-burst',
    what: `sync: burst of ${count} Endpoints with a patched annotation, until all are on the host`,
    ours: (count * 1000) / (done - began),
    unit: '/s',
    raw: { value: raw, what: `the same created on the host itself by ${connections} callers` },
    detail: `made within ${((made - began) / 1000).toFixed(1)} s, the last copy ${((done - made) / 1000).toFixed(1)} s later`,
  }
}

async function directPerSecond(client: JsonClient): Promise<number> {
  const began = performance.now()
  await inParallel(count, connections, (number) =>
    client.send('POST', `${hostPath}/endpoints`, endpointsObject(`direct-${number}`)),
  )
  return (count * 1000) / (performance.now() - began)
}

async function steadyRow(client: JsonClient, cpu: () => number): Promise<Row> {
  const before = cpu()
  const ours = await latencies(client, (number) => ({
    path: `${virtualPath}/endpoints/${serviceName(number)}`,
    copy: copyName(number),
  }))
  const percent = ((cpu() - before) / steadySeconds) * 100
  const raw = await latencies(client, (number) => ({
    path: `${hostPath}/endpoints/direct-${number}`,
    copy: `direct-${number}`,
  }))
  return {
    id: 'sync-p99',
    what: `sync: virtual write → seen on the host, p99, ${writesPerSecond} writes/s`,
    ours: p99(ours),
    unit: 'ms',
    raw: { value: p99(raw), what: 'write → seen of a write to the host itself' },
    detail: `p50 ${median(ours).toFixed(1)} ms, CPU of the server ${percent.toFixed(0)} %`,
  }
}

/** Milliseconds from sending each write until a watch on the host shows it. */
async function latencies(
  client: JsonClient,
  place: (number: number) => { path: string; copy: string },
): Promise<number[]> {
  const found: number[] = []
  const sent = new Map<string, number>()
  const end = await client.watch(`${hostPath}/endpoints?watch=1`, (line) => {
    const [, token = ''] = /"bench\/t":"(\w+)"/.exec(line) ?? []
    const since = sent.get(token)
    if (since === undefined) return
    found.push(performance.now() - since)
    sent.delete(token)
  })
  const began = performance.now()
  const total = writesPerSecond * steadySeconds
  const writing: Promise<unknown>[] = []
  for (let number = 0; number < total; number++) {
    await pause(Math.max(0, began + (number * 1000) / writesPerSecond - performance.now()))
    const { path, copy } = place(number % count)
    const token = `${copy.replace(/\W/g, '')}n${number}`
    sent.set(token, performance.now())
    const metadata = { annotations: { 'bench/t': token } }
    writing.push(client.send('PATCH', path, { metadata }))
  }
  await Promise.all(writing)
  for (let waited = 0; sent.size > 0 && waited < 100; waited++) await pause(100)
  end()
  if (sent.size > 0) throw new Error(`${sent.size} of ${total} writes never came to the host`)
  return found
}

function p99(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length * 0.99)] ?? 0
}

async function expressionsRow(bench: Bench): Promise<Row> {
  const results = await bench.inTurn([
    () => perCpuSecond('ours', bench),
    () => perCpuSecond('raw', bench),
  ])
  const [ours = 0, raw = 0] = results.map(median)
  return {
    id: 'sync-expressions',
    what: 'sync: expressions evaluated in a second of processor time, sandboxed',
    ours,
    unit: '/s',
    raw: { value: raw, what: 'the same function called in the bare engine' },
    aim: { least: 20_000 },
  }
}

async function perCpuSecond(mode: string, { options }: Bench): Promise<number> {
  const args = ['--import', 'tsx', expressionProbe, mode, String(options.seconds)]
  const child = startNode(args)
  const { stdout } = child.process
  if (stdout === null) throw new Error('the probe has no output')
  const value = await firstLine(stdout, (line) => Number(line))
  await stopChild(child)
  return value
}
