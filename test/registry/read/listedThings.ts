import { encodeContinue } from '../../../apiserver/meta/continueToken.ts'
import { listObjects } from '../../../apiserver/registry/read/listObjects.ts'
import type { ListPage } from '../../../apiserver/registry/read/listPage.ts'
import { systemContext } from '../../../apiserver/registry/systemContext.ts'
import { listOptions, type GivenOptions } from '../../support/listOptions.ts'
import { change, create } from '../../support/stores.ts'
import { thing } from '../../support/thing.ts'
import { useThings } from '../../support/useThings.ts'

export interface Wanted extends GivenOptions {
  namespace?: string
  revision?: number
}

export const token = (revision: number, after: string) =>
  encodeContinue({ revision, start: `default/${after}\0` })

/** A store of things, new for each test. */
export function useListedThings() {
  const { current } = useThings()

  const remove = (name: string, namespace = 'default') =>
    current().store.delete({ namespace, name }, {}, systemContext())

  return {
    current,
    remove,
    list: ({ namespace = '', revision, ...options }: Wanted = {}): Promise<ListPage> =>
      listObjects(current().store, { namespace, revision, options: listOptions(options) }),
    /**
     * Storage with a, b, c, d and e at the revisions 1 to 5; then c changed (6), a deleted (7) and f
     * created (8).
     */
    fill: async (): Promise<void> => {
      const { store } = current()
      for (const name of ['a', 'b', 'c', 'd', 'e']) await create(store, thing(name))
      await change(store, { namespace: 'default', name: 'c' }, (object) => {
        object['spec'] = { size: 1 }
      })
      await remove('a')
      await create(store, thing('f'))
    },
  }
}

export function summary(page: ListPage) {
  const { revision, continueToken } = page
  const names = namesOf(page)
  return { revision, names, ...(continueToken === undefined ? {} : { continueToken }) }
}

export function namesOf(page: ListPage): string[] {
  return [...page.entries()].map((entry) => entry.object().metadata.name ?? '')
}
