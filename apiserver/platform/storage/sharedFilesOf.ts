import type { StoredValue } from '../../storage/storage.ts'
import { secretPrefix } from '../replicas/serverKeys.ts'

const ownFile = /^(admin-access-key|agent-key-secret|pki\/[\w-]+(\.[\w-]+)*)$/

/** Secrets that servers share, as files of one server. */
export function sharedFilesOf(items: readonly StoredValue[]): Map<string, string> {
  const files = new Map<string, string>()
  for (const { key, value } of items) {
    const name = key.startsWith(secretPrefix) ? key.slice(secretPrefix.length) : ''
    if (!ownFile.test(name)) continue
    // Sound: only servers write there.
    const { content } = JSON.parse(value.toString()) as { content: string }
    if (name !== 'pki/ca') files.set(name, content)
    else {
      const [keyFile = '', certificate = ''] = JSON.parse(content) as string[] // in the shared form
      files.set('pki/ca.key', keyFile).set('pki/ca.crt', certificate)
    }
  }
  return files
}
