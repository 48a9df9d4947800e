import type { Bench } from './bench.ts'
import { fetchBody } from './fetchBody.ts'
import { createRequest, getRequest } from './sample.ts'

/** Bytes of an object that a benchmark creates. */
export async function sampleObject(bench: Bench): Promise<Buffer> {
  const server = await bench.startServer()
  const request = createRequest(server, 'sample')
  await bench.tool.http(server, { connections: 1, count: 1, request, status: 201 })
  const object = await fetchBody(server, getRequest(server, 'sample'))
  await server.stop()
  return object
}
