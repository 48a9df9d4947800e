import { useState } from 'react'
import { kindPath, platformKind, type Kind } from '../api/kinds.ts'
import { mapOf, text, type ApiObject } from '../api/objects.ts'
import { Age } from '../parts/Age.tsx'
import { ConfirmDelete } from '../parts/ConfirmDelete.tsx'
import { Icon } from '../parts/Icon.tsx'
import { useLoaded } from '../parts/loading.ts'
import { TableHead } from '../parts/TableHead.tsx'
import { Badge, Empty, ErrorNote, Missing, Skeleton } from '../parts/notes.tsx'
import { useSay } from '../parts/toasts.tsx'
import { useConsole } from '../shell/console.ts'
import { NewKey, NewToken } from './NewKey.tsx'
import { lifeWords, scopeWords } from './scopeWords.ts'

/** Access keys of the user: list, create, delete. */
export default function AccessKeys() {
  const { kinds } = useConsole()
  const users = platformKind(kinds, 'users')
  const keys = platformKind(kinds, 'ownedaccesskeys')
  if (users === undefined || keys === undefined)
    return (
      <main className="content">
        <h1>Access keys</h1>
        <Missing what="have access keys here" />
      </main>
    )
  return <Keys users={users} kind={keys} />
}

function Keys({ users, kind }: { users: Kind; kind: Kind }) {
  const { client, me, everywhere, kinds } = useConsole()
  const tokens = platformKind(kinds, 'directclusterendpointtokens')
  const [making, setMaking] = useState<'key' | 'token'>()
  const mayRead = everywhere.allow('get', users, { name: me.name, subresource: 'accesskeys' })
  const keys = useLoaded(
    async (signal) => {
      if (!mayRead) return []
      const path = kindPath(users, { name: me.name, subresource: 'accesskeys' })
      const found = await client.call<{ accessKeys?: ApiObject[] }>(path, { signal })
      return found.accessKeys ?? []
    },
    [me.name, mayRead],
  )
  return (
    <main className="content">
      <div className="page-head">
        <div>
          <h1>Access keys</h1>
          <p className="crumbs">
            <span>Keys act as you, or as less than you. Deleting one ends it at once.</span>
          </p>
        </div>
        <div className="buttons">
          {tokens !== undefined && everywhere.allow('create', tokens) ? (
            <button type="button" className="button" onClick={() => setMaking('token')}>
              <Icon name="add" /> Endpoint token
            </button>
          ) : null}
          {everywhere.allow('create', kind) ? (
            <button type="button" className="button main" onClick={() => setMaking('key')}>
              <Icon name="add" /> New key
            </button>
          ) : null}
        </div>
      </div>
      {keys.state === 'loading' ? <Skeleton /> : null}
      {keys.state === 'failed' ? <ErrorNote error={keys.error} onRetry={keys.reload} /> : null}
      {keys.state === 'ready' && mayRead ? (
        <KeyTable keys={keys.value} kind={kind} onChanged={keys.reload} />
      ) : null}
      {mayRead ? null : <Missing what="see the access keys of this user" />}
      {making === 'token' && tokens !== undefined ? (
        <NewToken kind={tokens} onClose={() => setMaking(undefined)} />
      ) : null}
      {making === 'key' ? (
        <NewKey
          kind={kind}
          onClose={() => {
            setMaking(undefined)
            keys.reload()
          }}
        />
      ) : null}
    </main>
  )
}

interface KeyTableProps {
  keys: readonly ApiObject[]
  kind: Kind
  onChanged: () => void
}

function KeyTable({ keys, kind, onChanged }: KeyTableProps) {
  const { everywhere } = useConsole()
  const [ending, setEnding] = useState<ApiObject>()
  if (keys.length === 0)
    return (
      <Empty title="You have no access key">
        <p>A key lets kubectl or a program act for you.</p>
      </Empty>
    )
  return (
    <div className="card scroll-x" tabIndex={0} role="region" aria-label="Keys">
      <table className="plain-table padded">
        <TableHead names={['Name', 'Allows', 'Valid', 'Last use', 'Age']} hasActions />
        <tbody>
          {keys.map((key) => (
            <tr key={key.metadata.uid}>
              <td>
                <strong>{text(key, 'spec', 'displayName') || key.metadata.name}</strong>
                <br />
                <span className="hint">{key.metadata.name}</span>{' '}
                {text(key, 'spec', 'type') === 'Login' ? <Badge>Login</Badge> : null}
              </td>
              <td>{scopeWords(mapOf(key, 'spec')['scope']).join(' ')}</td>
              <td>{lifeWords(key)}</td>
              <td className="short">
                <Age since={text(key, 'status', 'lastActivity')} />
              </td>
              <td className="short">
                <Age since={key.metadata.creationTimestamp} />
              </td>
              <td className="short">
                {everywhere.allow('delete', kind, { name: key.metadata.name }) ? (
                  <button
                    type="button"
                    className="button danger"
                    aria-label={`Delete ${key.metadata.name}`}
                    onClick={() => setEnding(key)}
                  >
                    Delete
                  </button>
                ) : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {ending === undefined ? null : (
        <EndKey
          kind={kind}
          accessKey={ending}
          onClose={() => {
            setEnding(undefined)
            onChanged()
          }}
        />
      )}
    </div>
  )
}

interface EndKeyProps {
  kind: Kind
  accessKey: ApiObject
  onClose: () => void
}

function EndKey({ kind, accessKey, onClose }: EndKeyProps) {
  const { client } = useConsole()
  const say = useSay()
  const { name, uid } = accessKey.metadata
  const run = async () => {
    const body = { preconditions: uid === undefined ? {} : { uid } }
    await client.call(kindPath(kind, { name }), { method: 'DELETE', body })
    say(`The key ${name} is deleted.`)
    onClose()
  }
  return (
    <ConfirmDelete title={`Delete the key ${name}?`} onClose={onClose} onDelete={run}>
      <p>Whatever uses it is refused from now on, and its open watches end.</p>
    </ConfirmDelete>
  )
}
