import { useEffect, useMemo, useState } from 'react'
import type { Rights } from '../api/rights.ts'
import type { Kind } from '../api/kinds.ts'
import { useConsole } from './console.ts'

/** Rights in a namespace; until they are loaded, the rights in all namespaces. */
function useRights(namespace: string): Rights {
  return useKnownRights(namespace) ?? useConsole().everywhere
}

/** Rights in a namespace; undefined: not loaded yet. */
export function useKnownRights(namespace: string): Rights | undefined {
  const { access, everywhere } = useConsole()
  const [known, setKnown] = useState<{ namespace: string; rights: Rights }>()
  useEffect(() => {
    if (namespace === '') return
    let isWanted = true
    access.in(namespace).then(
      (rights) => isWanted && setKnown({ namespace, rights }),
      () => isWanted && setKnown({ namespace, rights: everywhere }),
    )
    return () => {
      isWanted = false
    }
  }, [access, everywhere, namespace])
  if (namespace === '') return everywhere
  return known?.namespace === namespace ? known.rights : undefined
}

/** Kinds that the user may list in the chosen namespace, or cluster-wide. */
export function useListable(): readonly Kind[] {
  const { kinds, namespace, everywhere } = useConsole()
  const rights = useRights(namespace)
  return useMemo(
    () =>
      kinds.filter(
        (kind) =>
          kind.verbs.has('list') &&
          (kind.namespaced ? rights : everywhere).allow('list', kind) &&
          // The same objects are in the core group.
          kind.group !== 'events.k8s.io',
      ),
    [kinds, rights, everywhere],
  )
}
