import type { Call } from '../../base/commandSpec.ts'
import { textAt } from '../../base/apiObject.ts'
import { CliError } from '../../base/cliError.ts'
import { openSession } from '../../client/session.ts'
import { formatOf, isTable } from '../../output/format.ts'
import { formatted } from '../../output/formatted.ts'
import { scopeOf } from './scopeWords.ts'

/** Creates and prints a token for direct endpoints of clusters. Source: specification, "DirectClusterEndpointToken". */
export async function createToken(call: Call): Promise<void> {
  const { flags, terminal } = call
  const format = await formatOf(flags)
  const { client } = await openSession(call)
  const ttl = flags.seconds('ttl')
  const scope = scopeOf(flags.list('scope'), client.names)
  const spec = { ...(ttl === undefined ? {} : { ttl }), ...(scope === undefined ? {} : { scope }) }
  const made = await client.create(
    { plural: 'directclusterendpointtokens' },
    { metadata: {}, spec },
  )
  const token = textAt(made.status, 'token')
  if (token === undefined) throw new CliError('the server answered without a token')
  await terminal.out(isTable(format) ? `${token}\n` : await formatted(made, format))
}
