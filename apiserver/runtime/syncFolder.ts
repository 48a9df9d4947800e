import { open } from 'node:fs/promises'

/** Resolves when what was made, renamed or removed in a folder is durable. @throws the system's error. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
