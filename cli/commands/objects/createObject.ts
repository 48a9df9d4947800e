import type { Call } from '../../base/commandSpec.ts'
import type { ApiObject } from '../../base/apiObject.ts'
import { textAt } from '../../base/apiObject.ts'
import { CliError, usageError } from '../../base/cliError.ts'
import type { ApiClient, Place } from '../../client/apiClient.ts'
import { placeOf, type KindWords } from '../../client/kinds.ts'
import { openSession, type Session } from '../../client/session.ts'
import { formatOf, isTable } from '../../output/format.ts'
import { formatted } from '../../output/formatted.ts'
import { specOf } from './createSpecs.ts'
import { waitFor } from './waitFor.ts'

const waitSeconds = 600

/** Creates an object of a kind from flags. */
export async function createObject(call: Call, kind: KindWords): Promise<void> {
  const { flags, args } = call
  const [name = ''] = args
  const session = await openSession(call)
  const { client, server } = session
  const project = flags.string('project') ?? server.project
  const place = await placeOf(client, kind, { project, isOne: true })
  const spec = await specOf(call, kind, { client, project })
  const object = { kind: kind.kind, apiVersion: client.apiVersion, metadata: { name }, spec }
  const dryRun = flags.is('dryRun') ? 'All' : undefined
  const password = await passwordOf(call)
  const made = await client.create(place, object, { dryRun })
  if (dryRun === undefined) {
    if (password !== undefined) await client.createBelow(place, name, 'profile', { password })
  }
  await showCreated(call, made, kind, dryRun !== undefined)
  if (dryRun === undefined && kind.isOfProject && !flags.isOff('wait'))
    await waitUntilReady(call, client, { place, name, kind })
  if (dryRun === undefined && flags.is('use'))
    await useCreated(call, session, { kind, name, project })
}

async function showCreated(
  call: Call,
  made: ApiObject,
  { one }: KindWords,
  isDryRun: boolean,
): Promise<void> {
  const format = await formatOf(call.flags)
  const name = made.metadata.name ?? ''
  const text = isTable(format)
    ? `${one}/${name} created${isDryRun ? ' (dry run)' : ''}\n`
    : await formatted(made, format)
  await call.terminal.out(text)
}

/** Waits for an instance and reports its phases. */
async function waitUntilReady(
  call: Call,
  client: ApiClient,
  { place, name, kind }: { place: Place; name: string; kind: KindWords },
): Promise<void> {
  let phase: string | undefined
  const onState = ({ status }: ApiObject) => {
    const next = textAt(status, 'phase')
    if (next === phase || next === undefined) return
    phase = next
    const message = textAt(status, 'message')
    call.terminal.say(
      `${kind.called} ${name}: ${next}${message === undefined ? '' : `, ${message}`}`,
    )
    if (next === 'Failed')
      throw new CliError(
        `the ${kind.called} "${name}" failed: ${message ?? textAt(status, 'reason') ?? 'no reason given'}`,
        {
          hint: `Look at it with "$program get ${kind.one} ${name} -o yaml".`,
        },
      )
  }
  const seconds = call.flags.seconds('timeout') ?? waitSeconds
  const condition = { type: 'field', name: 'status.phase', value: 'Ready' } as const
  await waitFor(call, client, { place, name, called: kind.called, condition, seconds, onState })
}

async function useCreated(
  call: Call,
  session: Session,
  { kind, name, project }: { kind: KindWords; name: string; project: string | undefined },
): Promise<void> {
  if (kind.one !== 'virtualcluster' && kind.one !== 'space') return
  const [{ targetOf }, { writeContext }] = await Promise.all([
    import('../../kubeconfig/useTarget.ts'),
    import('../session/use.ts'),
  ])
  await writeContext(
    call,
    session,
    await targetOf(session.client, { kind: kind.one, name, project }),
  )
}

/** Password of a new user; undefined: none. */
async function passwordOf({ flags, terminal }: Call): Promise<string | undefined> {
  if (!flags.is('passwordStdin')) return undefined
  const password = (await terminal.readAll('password')).toString('utf8').replace(/\r?\n$/, '')
  if (password === '') throw usageError('the password is empty')
  return password
}
