import { StartError } from '../../runtime/startError.ts'
import type { BackupFile } from './backupFile.ts'

/** Key prefix of the management API in a storage. */
const management = '/management/'

/**
 * Prefix, in the backup, of the storage keys of the plane at a base URL. A plane is stored under
 * the uid of its object.
 * @throws StartError if the backup does not contain the plane.
 */
export async function planePrefix(base: string, backup: BackupFile): Promise<string> {
  const isWanted = keyCheck(new URL(base).pathname)
  if (isWanted === undefined) return management
  const [object, ...others] = await backup.objects(isWanted)
  if (object === undefined) throw new StartError(`${backup.name} has no plane for ${base}`)
  if (others.length > 0) throw new StartError(`${backup.name} has several planes for ${base}`)
  return `/planes/${object.metadata.uid ?? ''}/`
}

/** Predicate that matches the key of the object behind a plane; undefined: the management API. */
function keyCheck(path: string): ((key: string) => boolean) | undefined {
  const [, kind = '', first = '', word = '', name = ''] = path
    .split('/')
    .filter((part) => part !== '')
    .map(decodeURIComponent)
  if (kind === 'cluster')
    return (key) => {
      const { resource, rest } = split(key)
      return resource === 'clusters' && rest === first
    }
  if (kind !== 'project' || word !== 'virtualcluster') return undefined
  return (key) => {
    const { resource, rest } = split(key)
    if (resource !== 'virtualclusterinstances') return false
    const [namespace = '', stored] = rest.split('/')
    // The namespace of a project is a configurable prefix followed by the project's name.
    return stored === name && (namespace === first || namespace.endsWith(`-${first}`))
  }
}

function split(key: string): { resource: string; rest: string } {
  if (!key.startsWith(management)) return { resource: '', rest: '' }
  const [, resource = '', ...rest] = key.slice(management.length).split('/')
  return { resource, rest: rest.join('/') }
}
