import { createContext, use } from 'react'
import type { Access } from '../api/access.ts'
import type { Rights } from '../api/rights.ts'
import type { Brand } from '../api/brand.ts'
import type { ApiClient } from '../api/client.ts'
import type { Kind } from '../api/kinds.ts'
import type { Session, SessionKeeper } from '../api/session.ts'
import type { FeedPool } from '../watch/feedPool.ts'

/** The signed-in user. */
export interface Me {
  name: string
  displayName: string
  groups: readonly string[]
  /** Prefix of project namespaces; absent: the server has no projects. */
  projectNamespacePrefix?: string
}

/** Services for the pages of a signed-in user. */
export interface ConsoleServices {
  keeper: SessionKeeper
  session: Session
  client: ApiClient
  pool: FeedPool
  access: Access
  kinds: readonly Kind[]
  /** Rights in all namespaces. */
  everywhere: Rights
  me: Me
  brand: Brand
  /** Path of the control plane; empty: the management API. */
  plane: string
  /** Chosen namespace; empty: all. */
  namespace: string
  chooseNamespace: (namespace: string) => void
}

export const ConsoleContext = createContext<ConsoleServices | undefined>(undefined)

export function useConsole(): ConsoleServices {
  const services = use(ConsoleContext)
  if (services === undefined) throw new Error('no user is signed in')
  return services
}
