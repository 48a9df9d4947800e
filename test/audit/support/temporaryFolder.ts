import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

/** Creates a folder for each test, and removes it afterwards. */
export function useFolder(): () => string {
  let folder = ''
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'audit-'))
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))
  return () => folder
}

/** Contents of the files in a folder by name, decompressed if necessary. */
export async function contents(folder: string): Promise<Record<string, string>> {
  const names = (await readdir(folder)).sort()
  const texts = names.map(async (name): Promise<[string, string]> => {
    const bytes = await readFile(join(folder, name))
    return [name, (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')]
  })
  return Object.fromEntries(await Promise.all(texts))
}

/** Ids of the events in all files, sorted. */
export async function loggedIds(folder: string): Promise<string[]> {
  const lines = Object.values(await contents(folder)).flatMap((text) => text.split('\n'))
  return lines
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { auditID: string }).auditID)
    .sort()
}
