import type { Call } from '../../base/commandSpec.ts'
import { textAt, type ApiObject } from '../../base/apiObject.ts'
import { askSelf, type Self } from '../../client/self.ts'
import { openSession } from '../../client/session.ts'
import { formatOf, isTable } from '../../output/format.ts'
import { formatted } from '../../output/formatted.ts'

/** Prints the user of the credential. */
export async function whoami(call: Call): Promise<void> {
  const format = await formatOf(call.flags)
  const { client } = await openSession(call)
  const self = await askSelf(client)
  const object = format.type === 'name' ? namedOf(self) : self.object
  if (!isTable(format)) return call.terminal.out(await formatted(object, format))
  if (format.type === 'table') return call.terminal.out(`${self.name}\n`)
  const lines: [string, string | undefined][] = [
    [self.kind === 'team' ? 'Team' : 'User', self.name],
    ['Display name', textAt(self.object.status, self.kind, 'displayName')],
    ['Email', textAt(self.object.status, 'user', 'email')],
    ['Subject', textAt(self.object.status, 'subject')],
    ['Teams', self.teams.join(', ')],
    ['Groups', self.groups.join(', ')],
    ['Access key', self.accessKey],
    ['Scope', self.scope === undefined ? undefined : JSON.stringify(self.scope)],
  ]
  const given = lines.filter((line): line is [string, string] => !!line[1])
  await call.terminal.out(
    given.map(([name, value]) => `${`${name}:`.padEnd(14)} ${value}\n`).join(''),
  )
}

/** Object of the credential's user; the response itself has no name. */
function namedOf({ kind, name, object }: Self): ApiObject {
  return { ...object, ...(kind === 'other' ? {} : { kind }), metadata: { name } }
}
