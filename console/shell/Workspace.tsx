import { useEffect, useMemo, useState } from 'react'
import { Access } from '../api/access.ts'
import type { Rights } from '../api/rights.ts'
import type { Brand } from '../api/brand.ts'
import { ApiClient } from '../api/client.ts'
import { readKinds } from '../api/discovery.ts'
import { kindPath, platformKind, type Kind } from '../api/kinds.ts'
import { listOf, text } from '../api/objects.ts'
import type { Session, SessionKeeper } from '../api/session.ts'
import { useLoaded } from '../parts/loading.ts'
import { ErrorNote, Skeleton } from '../parts/notes.tsx'
import { FeedPool } from '../watch/feedPool.ts'
import { realSurroundings } from '../watch/surroundings.ts'
import { browserTabs } from './browserTabs.ts'
import { ConsoleContext, type Me } from './console.ts'
import { Frame } from './Frame.tsx'

interface WorkspaceProps {
  keeper: SessionKeeper
  session: Session
  brand: Brand
  plane: string
}

interface Basics {
  kinds: readonly Kind[]
  everywhere: Rights
  me: Me
  pool: FeedPool
}

/** Environment of a signed-in user; one for each control plane. */
export function Workspace(props: WorkspaceProps) {
  const { keeper, session, brand, plane } = props
  const client = useMemo(() => new ApiClient(keeper, plane), [keeper, plane])
  const access = useMemo(() => new Access(client), [client])
  const [namespace, setNamespace] = useNamespace(plane)
  const basics = useLoaded(() => readBasics(client, access, scopeOf(session, plane)), [plane])
  const pool = basics.state === 'ready' ? basics.value.pool : undefined
  useEffect(() => {
    const retry = () => pool?.retryNow()
    window.addEventListener('online', retry)
    return () => {
      window.removeEventListener('online', retry)
      pool?.clear()
    }
  }, [pool])
  const services = useMemo(
    () =>
      basics.state !== 'ready'
        ? undefined
        : {
            ...{ keeper, session, client, access, brand, plane, namespace },
            ...basics.value,
            chooseNamespace: setNamespace,
          },
    [basics, keeper, session, client, access, brand, plane, namespace, setNamespace],
  )
  if (basics.state === 'failed')
    return (
      <main className="content stack">
        <ErrorNote error={basics.error} onRetry={basics.reload} />
      </main>
    )
  if (services === undefined)
    return (
      <main className="content">
        <Skeleton lines={6} />
      </main>
    )
  return (
    <ConsoleContext value={services}>
      <Frame />
    </ConsoleContext>
  )
}

async function readBasics(
  client: ApiClient,
  access: Access,
  scope: Promise<string>,
): Promise<Basics> {
  const [kinds, everywhere] = await Promise.all([readKinds(client), access.in('')])
  const pool = new FeedPool(realSurroundings, tabsOf(await scope))
  return { kinds, everywhere, me: await readMe(client, kinds), pool }
}

/** Name shared only by tabs with the same key and control plane; empty: the browser cannot compute one on this page. */
async function scopeOf({ token }: Session, plane: string): Promise<string> {
  const subtle = crypto.subtle as SubtleCrypto | undefined
  if (subtle === undefined) return ''
  const digest = await subtle.digest('SHA-256', new TextEncoder().encode(`${token} ${plane}`))
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function tabsOf(scope: string) {
  return scope === '' ? undefined : browserTabs(`console ${scope}`)
}

async function readMe(client: ApiClient, kinds: readonly Kind[]): Promise<Me> {
  const selves = platformKind(kinds, 'selves')
  if (selves !== undefined) {
    const { status } = await client.call<{ status?: unknown }>(kindPath(selves), {
      method: 'POST',
      body: {},
    })
    const name = text(status, 'user', 'name') || text(status, 'team', 'name')
    const displayName = text(status, 'user', 'displayName') || name || text(status, 'subject')
    const projectNamespacePrefix = text(status, 'projectNamespacePrefix')
    const groups = namesIn(listOf(status, 'groups'))
    return { name, displayName, groups, projectNamespacePrefix }
  }
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }
  const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews'
  const { status } = await client.call<{ status?: unknown }>(path, { method: 'POST', body })
  const name = text(status, 'userInfo', 'username')
  return { name, displayName: name, groups: namesIn(listOf(status, 'userInfo', 'groups')) }
}

function namesIn(list: readonly unknown[]): string[] {
  return list.filter((name) => typeof name === 'string')
}

/** Chosen namespace, remembered for each control plane. */
function useNamespace(plane: string): [string, (namespace: string) => void] {
  const storageKey = `console-namespace ${plane}`
  const [namespace, setNamespace] = useState(() => localStorage.getItem(storageKey) ?? '')
  const choose = useMemo(
    () => (chosen: string) => {
      localStorage.setItem(storageKey, chosen)
      setNamespace(chosen)
    },
    [storageKey],
  )
  return [namespace, choose]
}
