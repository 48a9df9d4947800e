import { useSyncExternalStore } from 'react'
import { kindId, type Kind } from '../api/kinds.ts'

/** Address of a page: everything after the `#`. */
export interface Route {
  /** Path of a control plane; empty: the management API. */
  plane: string
  parts: readonly string[]
  query: URLSearchParams
}

/** Parses an address such as `#/k/apps/v1/deployments?ns=web`; a leading part `~…` names a control plane. */
export function parseRoute(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split('?', 2)
  const parts = path.split('/').filter(Boolean).map(decoded)
  const [first = ''] = parts
  const isBelow = first.startsWith('~')
  return {
    plane: isBelow ? first.slice(1) : '',
    parts: isBelow ? parts.slice(1) : parts,
    query: new URLSearchParams(search),
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Link to a page of the current control plane, or of another. */
export function href(
  parts: readonly string[],
  query: Readonly<Record<string, string>> = {},
  plane = parseRoute(window.location.hash).plane,
): string {
  const all = plane === '' ? parts : [`~${plane}`, ...parts]
  const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''))
  const search = new URLSearchParams(given).toString()
  return `#/${all.map(encodeURIComponent).join('/')}${search === '' ? '' : `?${search}`}`
}

export function goTo(address: string): void {
  window.location.hash = address.replace(/^#/, '')
}

/** Replaces parameters of the current address without adding a history entry; an empty value removes one. */
export function replaceQuery(changes: Readonly<Record<string, string>>): void {
  const { parts, query } = parseRoute(window.location.hash)
  const next = href(parts, { ...Object.fromEntries(query), ...changes })
  window.history.replaceState(null, '', next)
  window.dispatchEvent(new HashChangeEvent('hashchange'))
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('hashchange', listener)
  return () => window.removeEventListener('hashchange', listener)
}

export function useHash(): string {
  return useSyncExternalStore(subscribe, () => window.location.hash)
}

export function kindHref(kind: Kind, query: Readonly<Record<string, string>> = {}): string {
  return href(['k', ...kindId(kind).split('/')], query)
}

/** Address of the page that explains whether the user may do something, and why. */
export function accessHref(
  verb: string,
  kind: Kind,
  { namespace = '', name = '' }: { namespace?: string | undefined; name?: string | undefined } = {},
): string {
  return href(['access'], { verb, kind: kindId(kind), ns: namespace, name })
}

export function newHref(kind: Kind, namespace = ''): string {
  return href(['new', ...kindId(kind).split('/')], { ns: namespace })
}

/** Address of the page of an object. */
export function objectHref(
  kind: Kind,
  { namespace = '', name }: { namespace?: string | undefined; name: string },
  tab = '',
): string {
  const place = [kind.namespaced ? namespace || '-' : '-', name]
  return href(['o', ...kindId(kind).split('/'), ...place], { tab })
}
