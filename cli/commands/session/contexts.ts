import type { Call } from '../../base/commandSpec.ts'
import { unknownContext } from '../../client/session.ts'
import { changeSettings, readSettings } from '../../context/settings.ts'
import { formatOf, isTable } from '../../output/format.ts'
import { formatted } from '../../output/formatted.ts'
import { tableText } from '../../output/table.ts'

/** Lists the servers to which the user has logged in. */
export async function listContexts(call: Call): Promise<void> {
  const format = await formatOf(call.flags)
  const { contexts, currentContext } = await readSettings(call)
  if (!isTable(format)) {
    const items = Object.entries(contexts).map(([name, { certificateAuthority: _, ...rest }]) => ({
      kind: 'Context',
      metadata: { name },
      ...rest,
      isCurrent: name === currentContext,
    }))
    return call.terminal.out(await formatted({ kind: 'List', items }, format))
  }
  const rows = Object.entries(contexts).map(([name, { url, user = '', project = '' }]) => [
    name === currentContext ? '*' : '',
    name,
    url,
    user,
    project,
  ])
  await call.terminal.out(
    tableText({ columns: ['Current', 'Name', 'Server', 'User', 'Project'], rows }),
  )
}

/** Selects another context as the current one. */
export async function useContext(call: Call): Promise<void> {
  const [name = ''] = call.args
  const project = call.flags.string('project')
  await changeSettings(call, (settings) => {
    const context = settings.contexts[name]
    if (context === undefined) throw unknownContext(name, settings)
    settings.currentContext = name
    if (project !== undefined) context.project = project
  })
  call.terminal.say(
    `Commands now go to "${name}"${project === undefined ? '' : `, project ${project}`}.`,
  )
}
