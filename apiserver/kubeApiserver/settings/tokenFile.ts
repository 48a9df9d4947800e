import { readFile } from 'node:fs/promises'
import { withAuthenticatedGroup } from '../../authentication/authenticatedGroup.ts'
import type { UserInfo } from '../../meta/types.ts'
import { cannotRead, StartError } from '../../runtime/startError.ts'
import { parseCsvRow } from './csv.ts'

/**
 * Users in a token file, by token: a row has token, user, UID and, quoted, groups.
 * @throws StartError for a file that cannot be read, and for rows with fewer fields.
 * Source: Kubernetes documentation, "Static token file".
 */
export async function readTokenFile(file: string): Promise<ReadonlyMap<string, UserInfo>> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw cannotRead(`the token file ${file}`, error)
  })
  const users = new Map<string, UserInfo>()
  for (const [index, row] of text.split(/\r?\n/).entries()) {
    if (row.trim() === '' || row.startsWith('#')) continue
    const [token = '', name, uid, groups = ''] = parseCsvRow(row).map((field) => field.trim())
    if (name === undefined || uid === undefined) {
      throw new StartError(
        `token file '${file}' must have at least 3 columns (token, user name, user uid), line ${index + 1} has less`,
      )
    }
    if (token === '') continue
    const listed = groups.split(',').filter((group) => group !== '')
    users.set(token, withAuthenticatedGroup({ name, uid, groups: listed, extra: {} }))
  }
  return users
}
