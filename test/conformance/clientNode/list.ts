import { expect } from 'chai'
import { secretsPath, type ApiList } from '../support/objects.ts'
import type { Scenario } from '../support/scenario.ts'
import type { ClientNodeContext } from './clientNodeContext.ts'

const allNames = Array.from({ length: 25 }, (_, i) => `secret-${String(i).padStart(2, '0')}`)

async function createAll({ api, namespace }: ClientNodeContext): Promise<void> {
  const path = secretsPath(namespace)
  await Promise.all(allNames.map((name) => api.create(path, { metadata: { name }, spec: {} })))
}

const namesOf = ({ items }: ApiList) => items.map(({ metadata }) => metadata.name)

export const listScenarios: readonly Scenario<ClientNodeContext>[] = [
  {
    name: 'list with limit and continue gives one consistent list, whatever changes meanwhile',
    run: async (context) => {
      await createAll(context)
      const { api, custom, secrets, namespace } = context
      const pages: string[][] = []
      const revisions = new Set<string>()
      let token: string | undefined
      do {
        const options = { limit: 10, ...(token !== undefined && { _continue: token }) }
        const answer: unknown = await custom.listNamespacedCustomObject({ ...secrets, ...options })
        const page = answer as ApiList
        pages.push(namesOf(page).map(String))
        const { metadata } = page
        revisions.add(metadata.resourceVersion)
        token = metadata.continue === '' ? undefined : metadata.continue
        await api.delete(`${secretsPath(namespace)}/secret-2${pages.length}`)
      } while (token !== undefined)
      expect(pages.map(({ length }) => length)).to.deep.equal([10, 10, 5])
      expect(pages.flat()).to.deep.equal(allNames)
      expect(revisions.size).to.equal(1)
    },
  },
  {
    name: 'list with a label selector',
    run: async ({ api, custom, secrets, namespace }) => {
      const path = secretsPath(namespace)
      await api.create(path, { metadata: { name: 'a', labels: { tier: 'gold' } } })
      await api.create(path, { metadata: { name: 'b' } })
      const selected: unknown = await custom.listNamespacedCustomObject({
        ...secrets,
        labelSelector: 'tier in (gold)',
      })
      expect(namesOf(selected as ApiList)).to.deep.equal(['a'])
    },
  },
]
