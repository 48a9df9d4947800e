import type { Call } from '../../base/commandSpec.ts'
import { Flags } from '../../base/flags.ts'
import type { Session } from '../../client/session.ts'
import { findSecret } from './findSecret.ts'

/** Name and namespace of a shared secret; `--project` names its target. */
export async function placeOf(
  call: Call,
  session: Session,
  given: string,
): Promise<{ name: string; namespace: string }> {
  const flags = new Flags({ namespace: call.flags.string('namespace') })
  const { object } = await findSecret({ ...call, flags }, session, given)
  return { name: object.metadata.name ?? '', namespace: object.metadata.namespace ?? '' }
}
