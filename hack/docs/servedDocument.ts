import { startServer } from '../../apiserver/server.ts'

/**
 * Body of a GET as admin, from a server started for it with storage in memory. @throws Error for a status other than
 * 200.
 */
export async function servedDocument(path: string): Promise<string> {
  const options = { storage: 'memory', securePort: 0, insecurePort: 0, console: false } as const
  const server = await startServer({ ...options, logLevel: 'error' })
  try {
    const headers = { authorization: `Bearer ${server.adminAccessKey}` }
    const response = await fetch(`${server.insecureUrl}${path}`, { headers })
    const body = await response.text()
    if (response.status !== 200) throw new Error(`GET ${path}: ${response.status} ${body}`)
    return body
  } finally {
    await server.stop()
  }
}
