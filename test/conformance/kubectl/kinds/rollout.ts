import { expect } from 'chai'
import type { ApiObject } from '../../support/objects.ts'
import type { KubectlScenario } from '../fixtures.ts'
import type { KubectlContext } from '../kubectlContext.ts'

const revision = 'deployment.kubernetes.io/revision'
const image = 'image.test/main'

interface Workload extends ApiObject {
  spec: Record<string, unknown>
}

const pathOf = ({ namespace }: KubectlContext, plural: string) =>
  `/apis/apps/v1/namespaces/${namespace}/${plural}`

/** Replica set of a revision, as a controller would create it. */
async function replicaSet(context: KubectlContext, owner: Workload, number: number): Promise<void> {
  const labels = { app: 'one', 'pod-template-hash': `hash${number}` }
  const containers = [{ name: 'main', image: `${image}:${number}` }]
  const { uid } = owner.metadata
  await context.api.create(pathOf(context, 'replicasets'), {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `one-hash${number}`,
      labels,
      annotations: { [revision]: String(number) },
      ownerReferences: [
        { apiVersion: 'apps/v1', kind: 'Deployment', name: 'one', uid, controller: true },
      ],
    },
    spec: {
      replicas: 0,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers } },
    },
  } as ApiObject)
}

/** Creates a deployment and its two revisions, which no controller creates here. */
async function withRevisions(context: KubectlContext): Promise<void> {
  const { kubectl, api } = context
  await kubectl.ok(`create deployment one --image=${image}:2`)
  const path = `${pathOf(context, 'deployments')}/one`
  // A deployment has a spec.
  const owner = (await api.get(path)) as Workload
  await replicaSet(context, owner, 1)
  await replicaSet(context, owner, 2)
  await api.mergePatch(path, { metadata: { annotations: { [revision]: '2' } } })
}

export const rolloutScenarios: readonly KubectlScenario[] = [
  {
    name: 'rollout history and undo work on the revisions that are there',
    run: async (context) => {
      const { kubectl } = context
      await withRevisions(context)
      const history = await kubectl.ok('rollout history deploy/one')
      expect(history).to.match(/\n1 +<none>\n2 +<none>\n/)
      expect(await kubectl.ok('rollout history deploy/one --revision=1')).to.contain(`${image}:1`)
      expect(await kubectl.ok('rollout undo deploy/one')).to.equal(
        'deployment.apps/one rolled back\n',
      )
      const path = 'jsonpath={.spec.template.spec.containers[0].image}'
      expect(await kubectl.ok(`get deploy one -o ${path}`)).to.equal(`${image}:1`)
    },
  },
  {
    name: 'rollout restart, pause and resume change the deployment',
    run: async ({ kubectl }) => {
      await kubectl.ok(`create deployment one --image=${image}:1`)
      for (const [verb, said] of [
        ['restart', 'restarted'],
        ['pause', 'paused'],
        ['resume', 'resumed'],
      ] as const) {
        expect(await kubectl.ok(`rollout ${verb} deploy/one`)).to.equal(
          `deployment.apps/one ${said}\n`,
        )
      }
      const generation = 'get deploy one -o jsonpath={.metadata.generation}'
      expect(await kubectl.ok(generation)).to.equal('4')
    },
  },
  {
    name: 'rollout status waits until the status says that all is there',
    run: async (context) => {
      const { kubectl, api } = context
      await kubectl.ok(`create deployment one --image=${image}:1`)
      const waiting = kubectl.start('rollout status deploy/one --timeout=15s')
      await waiting.until(({ stdout }) => stdout.includes('Waiting for deployment'))
      await api.mergePatch(`${pathOf(context, 'deployments')}/one/status`, {
        status: {
          observedGeneration: 1,
          replicas: 1,
          updatedReplicas: 1,
          readyReplicas: 1,
          availableReplicas: 1,
        },
      })
      const { code, stdout } = await waiting.done
      expect(code).to.equal(0)
      expect(stdout).to.match(/deployment "one" successfully rolled out\n$/)
    },
  },
]
