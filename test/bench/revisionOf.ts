import { fetchBody } from './fetchBody.ts'
import { listRequest, type Address } from './sample.ts'

/** The newest revision of a server, which a list without matches names. */
export async function revisionOf(server: Address): Promise<string> {
  const body = await fetchBody(server, listRequest(server, 'none=none'))
  // A list of the API.
  return (JSON.parse(body.toString()) as { metadata: { resourceVersion: string } }).metadata
    .resourceVersion
}
