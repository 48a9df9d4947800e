import type { Call } from '../../base/commandSpec.ts'
import { textAt, type ApiObject } from '../../base/apiObject.ts'
import { CliError, usageError } from '../../base/cliError.ts'
import type { ApiClient } from '../../client/apiClient.ts'
import { askSelf, type Self } from '../../client/self.ts'
import { openSession } from '../../client/session.ts'
import { formatOf, isTable } from '../../output/format.ts'
import { formatted } from '../../output/formatted.ts'
import { scopeOf, scopeSentences } from './scopeWords.ts'

const plural = 'ownedaccesskeys'

/**
 * Creates an access key and prints it; it cannot be printed again. The server validates the request first; with
 * `--explain`, it is only validated and explained.
 */
export async function createAccessKey(call: Call): Promise<void> {
  const { flags, terminal } = call
  const format = await formatOf(flags)
  const { client } = await openSession(call)
  const object = await wanted(call, client)
  const checked = await client.create({ plural }, object, { dryRun: 'All' })
  if (flags.is('explain') || flags.is('dryRun')) return terminal.out(explanation(checked, client))
  const made = await client.create({ plural }, object)
  const key = textAt(made.spec, 'key')
  if (key === undefined) throw new CliError('the server answered without the key')
  if (!isTable(format)) return terminal.out(await formatted(made, format))
  await terminal.out(`${key}\n`)
  terminal.say(
    `Created the access key ${made.metadata.name}. It is shown only now: keep it secret.`,
  )
}

async function wanted(call: Call, client: ApiClient): Promise<ApiObject> {
  const { flags, args } = call
  const [name] = args
  const ttl = flags.seconds('ttl')
  const scope = scopeOf(flags.list('scope'), client.names)
  const spec = {
    displayName: flags.string('displayName') ?? name ?? 'Command line',
    ...(flags.string('description') === undefined
      ? {}
      : { description: flags.string('description') }),
    ...ownerOf(flags.string('for'), await askSelf(client)),
    type: 'User',
    ...(ttl === undefined ? {} : { ttl }),
    ...(flags.is('ttlAfterLastActivity') ? { ttlAfterLastActivity: true } : {}),
    ...(scope === undefined ? {} : { scope }),
  }
  const metadata = name === undefined ? { generateName: 'key-' } : { name }
  return { kind: 'OwnedAccessKey', apiVersion: client.apiVersion, metadata, spec }
}

/** Owner of the key: `--for`, otherwise the caller. @throws CliError usage. */
function ownerOf(given: string | undefined, self: Self): Record<string, unknown> {
  if (given === undefined) {
    if (self.kind === 'other') return {}
    return { [self.kind]: self.name }
  }
  const [kind, name, account] = given.split('/')
  if ((kind === 'user' || kind === 'team') && name && account === undefined) return { [kind]: name }
  if (kind === 'serviceaccount' && name && account)
    return { subject: `system:serviceaccount:${name}:${account}` }
  throw usageError(
    `invalid owner "${given}"`,
    'Give user/NAME, team/NAME or serviceaccount/NAMESPACE/NAME.',
  )
}

/** Sentences about a key that the server would store. */
function explanation({ metadata, spec }: ApiObject, client: ApiClient): string {
  const owner = textAt(spec, 'user') ?? textAt(spec, 'team') ?? textAt(spec, 'subject') ?? ''
  const name = metadata.name ?? metadata.generateName ?? ''
  const lines = [
    `The access key ${name} would act as ${owner}, with at most the permissions of ${owner}.`,
    lifetimeSentence(spec),
    ...scopeLines(scopeSentences(spec?.['scope'], client.names)),
    'Nothing was created.',
  ]
  return lines.map((line) => `${line}\n`).join('')
}

function lifetimeSentence(spec: ApiObject['spec']): string {
  const ttl = Number(spec?.['ttl'] ?? 0)
  if (ttl === 0) return 'It would not expire.'
  const isFromUse = spec?.['ttlAfterLastActivity'] === true
  return `It would expire ${ttl} s after its ${isFromUse ? 'last use' : 'creation'}.`
}

function scopeLines(sentences: readonly string[]): string[] {
  if (sentences.length === 0) return ['It would not be restricted to a scope.']
  return ['It would allow only:', ...sentences.map((sentence) => `  - ${sentence}`)]
}
