import { Watch } from '@kubernetes/client-node'
import { expect } from 'chai'
import { eventually } from '../support/eventually.ts'
import { revisionOf, secretsPath, type ApiObject } from '../support/objects.ts'
import type { Scenario } from '../support/scenario.ts'
import type { ClientNodeContext } from './clientNodeContext.ts'

interface Seen {
  events: { type: string; object: ApiObject }[]
  stop: () => void
}

async function watch(context: ClientNodeContext, query: Record<string, string>): Promise<Seen> {
  const events: Seen['events'] = []
  const controller = await new Watch(context.config).watch(
    secretsPath(context.namespace),
    query,
    (type, object: ApiObject) => events.push({ type, object }),
    () => undefined,
  )
  return { events, stop: () => controller.abort() }
}

async function change({ api, namespace }: ClientNodeContext): Promise<void> {
  const path = secretsPath(namespace)
  await api.create(path, { metadata: { name: 'one' }, spec: { displayName: 'First' } })
  await api.mergePatch(`${path}/one`, { spec: { displayName: 'Second' } })
  await api.delete(`${path}/one`)
}

export const watchScenarios: readonly Scenario<ClientNodeContext>[] = [
  {
    name: 'watch from a list sees each change once, in order',
    run: async (context) => {
      const { metadata } = await context.api.list(secretsPath(context.namespace))
      const seen = await watch(context, { resourceVersion: metadata.resourceVersion })
      await change(context)
      await eventually(() => expect(seen.events).to.have.length(3))
      seen.stop()
      const types = seen.events.map(({ type }) => type)
      expect(types).to.deep.equal(['ADDED', 'MODIFIED', 'DELETED'])
      const revisions = seen.events.map(({ object }) => revisionOf(object))
      expect(revisions).to.deep.equal([...new Set(revisions)].sort((a, b) => a - b))
      expect(revisions[0]).to.be.greaterThan(Number(metadata.resourceVersion))
    },
  },
  {
    name: 'watch from a past resourceVersion replays what happened since',
    run: async (context) => {
      const { metadata } = await context.api.list(secretsPath(context.namespace))
      await change(context)
      const seen = await watch(context, { resourceVersion: metadata.resourceVersion })
      await eventually(() => expect(seen.events).to.have.length(3))
      seen.stop()
      const names = seen.events.map(({ object }) => object.spec?.['displayName'])
      expect(names).to.deep.equal(['First', 'Second', 'Second'])
    },
  },
  {
    name: 'watch with sendInitialEvents sends the objects, then the bookmark that ends them',
    run: async (context) => {
      const path = secretsPath(context.namespace)
      await context.api.create(path, { metadata: { name: 'one' }, spec: {} })
      const seen = await watch(context, {
        sendInitialEvents: 'true',
        resourceVersionMatch: 'NotOlderThan',
        allowWatchBookmarks: 'true',
      })
      await eventually(() => expect(seen.events).to.have.length(2))
      seen.stop()
      expect(seen.events.map(({ type }) => type)).to.deep.equal(['ADDED', 'BOOKMARK'])
      const bookmark = seen.events[1]?.object
      expect(bookmark).to.deep.nested.include({
        kind: 'SharedSecret',
        'metadata.annotations': { 'k8s.io/initial-events-end': 'true' },
      })
    },
  },
]
