import { isDeepStrictEqual } from 'node:util'
import type { ApiClient } from '../support/apiClient.ts'
import { namespaceObject, namespacesPath } from '../support/objects.ts'
import { client, type Client, type Scenario } from '../support/scenario.ts'
import { ServerProcess, type Surroundings } from '../support/serverProcess.ts'
import { listForms, listSelections, type ListForm } from './forms.ts'
import { Writers } from './writers.ts'

const namespace = 'forms'
const path = `/api/v1/namespaces/${namespace}/configmaps`
const objects = 300
const writers = 4
/**
 * Selections of each form. Unfiltered lists are the most likely to be read in another turn than
 * their revision.
 */
const selections = [...Array<string>(20).fill(''), ...listSelections, ...listSelections]

interface Context {
  server: ServerProcess
  writers: Writers
}

/** Lists in every form during writes: each has the state of its revision. */
export function listFormsClient(around: Surroundings): Client {
  return client({
    name: 'list forms',
    scenarios: listForms.map(scenarioOf),
    open: async () => {
      const server = new ServerProcess(around, 'list-forms')
      await server.start()
      await server.client().create(namespacesPath, namespaceObject(namespace))
      const own = new Writers({ client: server.client(), path, objects, count: writers })
      await own.start()
      return { server, writers: own }
    },
    close: async ({ server, writers: own }: Context) => {
      await own.stop()
      await server.stop()
    },
  })
}

function scenarioOf(form: ListForm): Scenario<Context> {
  return {
    name: `${form.name}: under four writers every list is the exact list of its revision`,
    run: async ({ server }) => {
      const wrong: string[] = []
      for (const selection of selections) {
        if (!(await isExact(server.client(), form, selection))) wrong.push(selection || 'all')
      }
      if (wrong.length === 0) return
      throw new Error(`${wrong.length} of ${selections.length} lists differ: ${wrong.join(', ')}`)
    },
  }
}

async function isExact(api: ApiClient, form: ListForm, selection: string): Promise<boolean> {
  const { accept, query, revision, compared = (body: Buffer) => body } = form
  const url = `${path}?${[query, selection].filter(Boolean).join('&')}`
  const list = await api.bytes(url, accept)
  const exact = `&resourceVersion=${revision(list)}&resourceVersionMatch=Exact`
  return isDeepStrictEqual(compared(list), compared(await api.bytes(url + exact, accept)))
}
