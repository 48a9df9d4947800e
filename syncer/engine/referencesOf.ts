import type { ApiObject } from '../../apiserver/meta/types.ts'
import type { PatchRule } from '../config/patchRule.ts'
import type { ObjectName } from '../names/naming.ts'
import type { ObjectReference, References } from '../patches/references.ts'
import { hostDocument, type KindTranslation } from './hostDocument.ts'
import { hostReferenceName } from './hostReferenceName.ts'

/** Whether the patches may refer to other objects. */
export function haveReferences(patches: readonly PatchRule[]): boolean {
  return patches.some(({ reference }) => reference !== undefined)
}

/** What a virtual object refers to, as the patches of its kind say. Asks no plane.
 *  @throws PatchError. Source: specification, patches[].reference. */
export async function referencesOf(
  virtual: ApiObject,
  place: ObjectName,
  kind: KindTranslation,
): Promise<readonly ObjectReference[]> {
  if (!haveReferences(kind.patches)) return []
  return collected(kind, (collecting) => hostDocument(virtual, place, collecting))
}

/** What is referred to while a document is patched for the host. Patches behind the last reference do not matter. */
export async function collected(
  kind: KindTranslation,
  patch: (kind: KindTranslation) => Promise<unknown>,
): Promise<readonly ObjectReference[]> {
  const found: ObjectReference[] = []
  const references: References = {
    toHost: (reference) => {
      found.push(reference)
      return Promise.resolve(hostReferenceName(reference, kind.translation.naming))
    },
    toVirtual: () => Promise.resolve(undefined),
  }
  const last = kind.patches.findLastIndex(({ reference }) => reference !== undefined)
  await patch({ ...kind, references, patches: kind.patches.slice(0, last + 1) })
  return found
}
