import { fetchBody } from './fetchBody.ts'
import { listRequest, type Address } from './sample.ts'

/** Newest revision of a server, according to a list without matches. */
export async function revisionOf(server: Address): Promise<string> {
  const body = await fetchBody(server, listRequest(server, 'none=none'))
  // The response is a list.
  return (JSON.parse(body.toString()) as { metadata: { resourceVersion: string } }).metadata
    .resourceVersion
}
