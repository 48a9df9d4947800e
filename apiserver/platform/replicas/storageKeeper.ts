import { isAlreadyExists, isRevisionConflict } from '../../registry/storageErrors.ts'
import type { SecretKeeper } from '../../runtime/files/secretFile.ts'
import type { Storage, StoredValue, ValueTemplate } from '../../storage/storage.ts'
import { secretPrefix } from './serverKeys.ts'

/**
 * Keeps a secret in a shared storage. `first`: its value if the storage has none, such as the
 * content of a file.
 */
export function storageKeeper(
  storage: Storage,
  name: string,
  first: () => Promise<string | undefined>,
): SecretKeeper {
  const key = secretPrefix + name
  const read = async (): Promise<string | undefined> => {
    await storage.reachNewest()
    const kept = contentOf(storage.newest(key))
    if (kept !== undefined) return kept
    const given = await first()
    return given === undefined ? undefined : replace(undefined, given)
  }
  const replace = async (previous: string | undefined, next: string): Promise<string> => {
    await storage.reachNewest()
    const stored = storage.newest(key)
    const standing = contentOf(stored)
    if (standing !== undefined && standing !== previous) return standing
    try {
      if (stored === undefined) await storage.create(key, template(next))
      else await storage.update(key, template(next), stored.revision)
      return next
    } catch (error) {
      if (!isAlreadyExists(error) && !isRevisionConflict(error)) throw error
      // Another server was faster; its value takes effect.
      return replace(previous, next)
    }
  }
  return { isShared: true, read, replace }
}

function template(content: string): ValueTemplate {
  return { before: '{"revision":"', after: `","content":${JSON.stringify(content)}}\n` }
}

function contentOf(stored: StoredValue | undefined): string | undefined {
  // Sound: only `template` creates such values.
  return stored && (JSON.parse(stored.value.toString()) as { content: string }).content
}
