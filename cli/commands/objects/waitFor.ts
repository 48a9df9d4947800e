import type { Call } from '../../base/commandSpec.ts'
import { at, listAt, textAt, type ApiObject } from '../../base/apiObject.ts'
import { CliError, exitCodes, usageError } from '../../base/cliError.ts'
import type { ApiClient, Place } from '../../client/apiClient.ts'
import { isStatus } from '../../client/apiError.ts'
import { placeOf, type KindWords } from '../../client/kinds.ts'
import { openSession } from '../../client/session.ts'
import { withSuggestion } from './getObject.ts'

/** State to wait for. */
export type Condition =
  | { type: 'delete' }
  | { type: 'create' }
  | { type: 'condition' | 'field'; name: string; value: string }

const defaultSeconds = 300

/** Waits until objects of a kind reach the state of `--for`. */
export async function wait(call: Call, kind: KindWords): Promise<void> {
  const { flags, args, terminal } = call
  const condition = conditionOf(
    flags.string('for') ?? (kind.isOfProject ? 'phase=Ready' : 'create'),
  )
  const { client, server } = await openSession(call)
  const project = flags.string('project') ?? server.project
  const place = await placeOf(client, kind, { project, isOne: true })
  const seconds = flags.seconds('timeout') ?? defaultSeconds
  for (const name of args) {
    await waitFor(call, client, { place, name, called: kind.called, condition, seconds })
    await terminal.out(`${kind.one}/${name} condition met\n`)
  }
}

/** `delete`, `create`, `phase=Ready`, `condition=Ready[=False]` or `jsonpath`-like `spec.a=b`. @throws CliError usage. */
function conditionOf(given: string): Condition {
  if (given === 'delete' || given === 'create') return { type: given }
  const [left = '', ...rest] = given.split('=')
  const value = rest.join('=')
  if (left === 'condition' && value !== '') {
    const [name = '', status = 'True'] = rest
    return { type: 'condition', name, value: status }
  }
  if (left !== '' && value !== '')
    return { type: 'field', name: left === 'phase' ? 'status.phase' : left, value }
  throw usageError(
    `cannot wait for "${given}"`,
    'Give delete, create, phase=Ready, condition=Ready or a field such as spec.displayName=Web.',
  )
}

export interface Awaited {
  place: Place
  name: string
  /** Kind for messages. */
  called: string
  condition: Condition
  seconds: number
  /** Called with each intermediate state. */
  onState?: (object: ApiObject) => void
}

/** Waits for one object. @throws CliError timeout; notFound if it does not exist or is deleted. */
export async function waitFor(call: Call, client: ApiClient, awaited: Awaited): Promise<void> {
  const { place, name, condition, called, seconds, onState } = awaited
  const deadline = AbortSignal.timeout(seconds * 1000)
  const signal = AbortSignal.any([deadline, call.signal])
  for (;;) {
    const found = await current(client, awaited)
    if (found !== undefined) onState?.(found)
    if (isMet(found, condition)) return
    if (found === undefined && condition.type !== 'create')
      throw new CliError(`the ${called} "${name}" was deleted`, { code: exitCodes.notFound })
    const from = found?.metadata.resourceVersion
    const query = { fieldSelector: `metadata.name=${name}`, resourceVersion: from }
    const { watchObjects } = await import('../../client/watchObjects.ts')
    const end = await watchObjects(client, { place, query, signal }, ({ type, object }) => {
      if (type === 'BOOKMARK') return false
      if (type !== 'DELETED') onState?.(object)
      return type === 'DELETED' || isMet(object, condition)
    })
    if (end !== 'aborted') continue
    if (call.signal.aborted) throw new CliError('interrupted', { code: exitCodes.interrupted })
    const hint = 'Wait longer with --timeout, or look at its status with -o yaml.'
    throw new CliError(`waited ${seconds} s for the ${called} "${name}"`, {
      code: exitCodes.timeout,
      hint,
    })
  }
}

/** Current object; undefined: it does not exist, which is expected only when waiting for its creation or deletion. */
async function current(
  client: ApiClient,
  { place, name, called, condition }: Awaited,
): Promise<ApiObject | undefined> {
  const get = () => client.get(place, name)
  if (condition.type !== 'create' && condition.type !== 'delete')
    return withSuggestion(client, { place, name, called }, get)
  return get().catch((error: unknown) => {
    if (isStatus(error, 404)) return undefined
    throw error
  })
}

function isMet(object: ApiObject | undefined, condition: Condition): boolean {
  if (condition.type === 'delete') return object === undefined
  if (object === undefined) return false
  if (condition.type === 'create') return true
  const { name, value } = condition
  if (condition.type === 'condition')
    return listAt(object.status, 'conditions').some(
      (each) => textAt(each, 'type') === name && textAt(each, 'status') === value,
    )
  const found = at(object, ...name.split('.'))
  return (
    found !== undefined && (typeof found === 'string' ? found : JSON.stringify(found)) === value
  )
}
