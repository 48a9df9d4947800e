import { join } from 'node:path'
import { writeFileAtomic } from '../../runtime/files/atomicFile.ts'
import { readIfAny } from '../../runtime/files/secretFile.ts'
import type { CertifiedKey } from './certificate.ts'

/** Reads `<name>.crt` and `<name>.key`; missing files are omitted. */
export async function readPair(directory: string, name: string): Promise<Partial<CertifiedKey>> {
  const cert = await readIfAny(join(directory, `${name}.crt`))
  const key = await readIfAny(join(directory, `${name}.key`))
  return { ...(cert === undefined ? {} : { cert }), ...(key === undefined ? {} : { key }) }
}

/**
 * Writes both files atomically and durably, the key first: after a crash between the two, the certificate does not
 * match the key or is missing, and is issued again.
 */
export async function writePair(
  directory: string,
  name: string,
  pair: CertifiedKey,
): Promise<void> {
  await writeFileAtomic(join(directory, `${name}.key`), pair.key, 0o600)
  await writeFileAtomic(join(directory, `${name}.crt`), pair.cert, 0o600)
}
