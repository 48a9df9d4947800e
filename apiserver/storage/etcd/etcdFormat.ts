import { StorageError } from '../errors.ts'
import type { EtcdClient } from './etcdClient.ts'
import type { KeySpace } from './keySpace.ts'
import { toNumber, type ResponseHeader } from './messages.ts'

/** Identity of stored data; it opens again only with the same identity. */
export type Identity = Readonly<Record<string, string>>

interface Format {
  format: number
  identity: Record<string, string>
  /** True while a migration into the key space has not finished. */
  isIncomplete?: boolean
}

const currentFormat = 1

/** Value of the format key; servers refuse an incomplete key space. */
export function formatValue(identity: Identity, isComplete: boolean): Buffer {
  const noted: Format = { format: currentFormat, identity }
  return Buffer.from(JSON.stringify(isComplete ? noted : { ...noted, isIncomplete: true }))
}

/**
 * Writes the format into an empty key space, or checks the existing one.
 * @throws CallError; StorageError NewerFormat, OtherIdentity, Unavailable.
 */
export async function checkFormat(
  client: EtcdClient,
  space: KeySpace,
  identity: Identity,
): Promise<ResponseHeader> {
  const { header, responses } = await client.txn({
    compare: [{ result: 0, target: 2, key: space.format, modRevision: 0 }],
    success: [{ requestPut: { key: space.format, value: formatValue(identity, true) } }],
    failure: [{ requestRange: { key: space.format } }],
  })
  const found = responses[0]?.responseRange?.kvs[0]
  if (found !== undefined) refuseOther(readFormat(found.value, space), identity, space)
  return header
}

function readFormat(value: Uint8Array, space: KeySpace): Format {
  try {
    // Checked field by field below.
    const read = JSON.parse(Buffer.from(value).toString()) as Partial<Format> | null
    if (typeof read?.format === 'number' && typeof read.identity === 'object') {
      const { format, identity, isIncomplete = false } = read
      return { format, identity, isIncomplete }
    }
  } catch {
    // Reported below.
  }
  throw new StorageError('Unavailable', `the key ${space.format.toString()} in etcd is damaged`)
}

function refuseOther(
  { format, identity, isIncomplete = false }: Format,
  wanted: Identity,
  space: KeySpace,
): void {
  const where = space.format.toString()
  if (isIncomplete) {
    const message = `a migration to etcd did not end: delete the keys beside ${where}, and migrate again`
    throw new StorageError('Unavailable', message)
  }
  if (format > currentFormat) {
    const message = `${where} in etcd has format ${format}; this version reads up to ${currentFormat}`
    throw new StorageError('NewerFormat', message)
  }
  for (const [name, word] of Object.entries(identity)) {
    const now = wanted[name]
    if (now === undefined || now === word) continue
    const message = `${where} in etcd was made with ${name} ${word}, not ${now}`
    throw new StorageError('OtherIdentity', message)
  }
}

export function clusterIdOf(header: ResponseHeader): string {
  return String(header.clusterId)
}

export function revisionOf(header: ResponseHeader): number {
  return toNumber(header.revision)
}
