import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AuditEvent } from '../../../apiserver/audit/auditEvent.ts'
import type { AuditSettings } from '../../../apiserver/audit/auditSettings.ts'
import { openTestServer, type TestServer } from './testServer.ts'

/** Audit log of a server after its use; the server is stopped before the log is read. */
export async function audited(
  settings: AuditSettings,
  use: (server: TestServer, folder: string) => Promise<unknown>,
): Promise<{ events: AuditEvent[]; text: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'audited-'))
  const path = join(folder, 'audit.log')
  const file = join(folder, 'config.yaml')
  try {
    // JSON is valid YAML.
    await writeFile(file, JSON.stringify({ audit: { enabled: true, path, ...settings } }))
    const server = await openTestServer({
      platformConfigFile: file,
      maxObjectBytes: 3 * 1024 * 1024,
    })
    try {
      await use(server, folder)
    } finally {
      await server.running.stop()
    }
    const text = await readFile(path, 'utf8').catch(() => '')
    const lines = text.split('\n').filter((line) => line !== '')
    return { text, events: lines.map((line) => JSON.parse(line) as AuditEvent) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
