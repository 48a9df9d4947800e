import type { GroupVersionKind } from '../../meta/types.ts'
import { groupVersionString } from '../../meta/types.ts'
import kindsOfGroups from './kinds.json' with { type: 'json' }
import type messages from './messages.json'

export type PackageName = keyof typeof messages

/** Kinds of each group version in a package. `*` lists the kinds of every group version. */
export const kinds: Readonly<Record<string, Partial<Record<PackageName, string>>>> = kindsOfGroups

/**
 * Reports whether a kind has a protobuf form; works without loading anything. Status and request
 * options have one in every group version that client libraries use.
 * Source: client-go's scheme.
 */
export function hasProtobuf(gvk: GroupVersionKind): boolean {
  return packageOf(gvk) !== undefined
}

/** The package with the message of a kind, which has the same name. */
export function packageOf(gvk: GroupVersionKind): PackageName | undefined {
  return find(groupVersionString(gvk), gvk.kind) ?? find('*', gvk.kind)
}

function find(groupVersion: string, kind: string): PackageName | undefined {
  const packages = Object.hasOwn(kinds, groupVersion) ? kinds[groupVersion] : undefined
  for (const [name, list] of Object.entries(packages ?? {})) {
    // Sound: the keys are package names.
    if (list.split(' ').includes(kind)) return name as PackageName
  }
  return undefined
}
