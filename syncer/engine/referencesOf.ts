import type { ApiObject } from '../../apiserver/meta/types.ts'
import type { PatchRule } from '../config/patchRule.ts'
import type { ObjectName } from '../names/naming.ts'
import type { ObjectReference, References } from '../patches/references.ts'
import { hostDocument, type KindTranslation } from './hostDocument.ts'
import { hostReferenceName } from './hostReferenceName.ts'

/** Reports whether patches may reference other objects. */
export function haveReferences(patches: readonly PatchRule[]): boolean {
  return patches.some(({ reference }) => reference !== undefined)
}

/**
 * The references of a virtual object, according to the patches of its kind. Sends no requests.
 * @throws PatchError. Source: specification, patches[].reference.
 */
export async function referencesOf(
  virtual: ApiObject,
  place: ObjectName,
  kind: KindTranslation,
): Promise<readonly ObjectReference[]> {
  if (!haveReferences(kind.patches)) return []
  return collected(kind, (collecting) => hostDocument(virtual, place, collecting))
}

/** Collects references while a document is patched for the host. Patches after the last reference are skipped. */
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
