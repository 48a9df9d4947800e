import {
  makeInformer,
  type KubernetesListObject,
  type KubernetesObject,
} from '@kubernetes/client-node'
import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'chai'
import { eventually } from '../support/eventually.ts'
import { secretsPath } from '../support/objects.ts'
import type { Scenario } from '../support/scenario.ts'
import type { ServerProcess } from '../support/serverProcess.ts'
import type { ClientNodeContext } from './clientNodeContext.ts'
import { SteadyWriter } from './steadyWriter.ts'

interface Listed {
  metadata?: { name?: string; resourceVersion?: string }
}

type Secrets = KubernetesListObject<KubernetesObject>

/** Names and resource versions, by which two lists are compared. */
function contents(items: readonly Listed[]): string[] {
  return items.map(({ metadata }) => `${metadata?.name}@${metadata?.resourceVersion}`).sort()
}

/** Informer that is restarted after an error, as in its documentation. */
async function startInformer({ config, custom, secrets, namespace }: ClientNodeContext) {
  const list = () => custom.listNamespacedCustomObject(secrets) as Promise<Secrets>
  const informer = makeInformer<KubernetesObject>(config, secretsPath(namespace), list)
  const ended = new AbortController()
  const restart = async () => {
    await delay(50, undefined, { signal: ended.signal })
    await informer.start()
  }
  informer.on('error', () => void restart().catch(() => undefined))
  await informer.start()
  const stop = async () => {
    ended.abort()
    await informer.stop()
  }
  return { informer, stop }
}

/** Continues to write while the server stops and restarts, then compares. */
async function survives(
  context: ClientNodeContext,
  end: (server: ServerProcess) => Promise<void>,
): Promise<void> {
  const { server, namespace } = context
  const path = secretsPath(namespace)
  const { informer, stop } = await startInformer(context)
  const writer = new SteadyWriter(server.client(), path)
  try {
    for (let restarts = 0; restarts < 3; restarts++) {
      await writer.wrote(30)
      await end(server)
      await server.start()
    }
    await writer.wrote(30)
    await writer.stop()
    const { items } = await context.api.list(path)
    expect(items.length).to.be.greaterThan(0)
    const want = contents(items)
    await eventually(() => expect(contents(informer.list())).to.deep.equal(want))
  } finally {
    await writer.stop()
    await stop()
  }
}

export const informerScenarios: readonly Scenario<ClientNodeContext>[] = [
  {
    name: 'an informer survives restarts of the server and ends equal to its list',
    run: (context) => survives(context, (server) => server.stop()),
  },
  {
    name: 'an informer survives SIGKILLs of the server and ends equal to its list',
    run: (context) => survives(context, (server) => server.kill()),
  },
]
