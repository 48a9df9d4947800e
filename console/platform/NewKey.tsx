import { kindPath, type Kind } from '../api/kinds.ts'
import { text, type ApiObject } from '../api/objects.ts'
import { useConsole } from '../shell/console.ts'
import { NewCredential, type Draft } from './NewCredential.tsx'

const lives = [
  ['1 day', 86_400],
  ['30 days', 2_592_000],
  ['1 year', 31_536_000],
  ['No end', 0],
] as const

interface NewProps {
  kind: Kind
  onClose: () => void
}

/** Creates an access key, which is shown only here, once. */
export function NewKey({ kind, onClose }: NewProps) {
  const { client, me } = useConsole()
  const make = async ({ displayName, ttl }: Draft, scope: object) => {
    const spec = { user: me.name, displayName, ttl, ...scope }
    const body = { metadata: { generateName: 'key-' }, spec }
    const key = await client.call<ApiObject>(kindPath(kind), { method: 'POST', body })
    return text(key, 'spec', 'key')
  }
  return (
    <NewCredential
      {...{ lives, make, onClose }}
      title="New access key"
      button="Make the key"
      label="Access key"
      hasName
      advice="Copy it now: the server keeps only its digest, and cannot show it again."
    />
  )
}

const tokenLives = [
  ['1 hour', 3_600],
  ['1 day', 86_400],
  ['30 days', 2_592_000],
] as const

/** Creates a token for direct access to a connected cluster: signed, not stored, and shown only here. */
export function NewToken({ kind, onClose }: NewProps) {
  const { client } = useConsole()
  const make = async ({ ttl }: Draft, scope: object) => {
    const body = { metadata: {}, spec: { ttl, ...scope } }
    const made = await client.call<ApiObject>(kindPath(kind), { method: 'POST', body })
    return text(made, 'status', 'token')
  }
  return (
    <NewCredential
      {...{ make, onClose }}
      lives={tokenLives}
      title="New endpoint token"
      button="Make the token"
      label="Endpoint token"
      advice="Copy it now: it is not stored. It cannot be revoked on its own: it ends with its time, or when your account is disabled."
    />
  )
}
