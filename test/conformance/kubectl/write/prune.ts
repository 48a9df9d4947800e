import { expect } from 'chai'
import { configMap, coreSecret } from '../kinds/coreFixtures.ts'
import { labelled, secret, secretName, type KubectlScenario } from '../fixtures.ts'

const env = { KUBECTL_APPLYSET: 'true' }

export const pruneScenarios: readonly KubectlScenario[] = [
  {
    name: 'apply --prune -l of several kinds deletes what is no longer in the files',
    run: async ({ kubectl, file }) => {
      const labels = { app: 'x' }
      const one = labelled(configMap('one', { a: 'first' }), labels)
      file('all.yaml', one, labelled(coreSecret('two'), labels), labelled(secret('three'), labels))
      await kubectl.ok('apply -f all.yaml')
      file('all.yaml', one)
      const kinds = ['core/v1/ConfigMap', 'core/v1/Secret', 'management.platform/v1/SharedSecret']
      const allowed = kinds.map((kind) => `--prune-allowlist=${kind}`).join(' ')
      const lines = await kubectl.ok(`apply --prune -l app=x ${allowed} -f all.yaml`)
      expect(lines.trimEnd().split('\n').sort()).to.deep.equal([
        'configmap/one unchanged',
        'secret/two pruned',
        `${secretName('three')} pruned`,
      ])
    },
  },
  ...['', '--server-side '].map((how): KubectlScenario => {
    const done = (name: string, was: string) =>
      `${name} ${how === '' ? was : 'serverside-applied'}\n`
    return {
      name: `apply ${how}--prune --applyset keeps a set in a config map and prunes what left it`,
      run: async ({ kubectl, namespace, file }) => {
        const apply = `apply -n ${namespace} ${how}--prune --applyset=configmaps/set -f all.yaml`
        const one = configMap('one', { a: 'first' })
        file('all.yaml', one, secret('two'))
        expect(await kubectl.ok(apply, { env })).to.equal(
          done('configmap/one', 'created') + done(secretName('two'), 'created'),
        )
        const set = JSON.parse(await kubectl.ok('get cm set -o json')) as Parent
        const id = set.metadata.labels['applyset.kubernetes.io/id']
        expect(id).to.match(/^applyset-.{43}-v1$/)
        const member = `-l applyset.kubernetes.io/part-of=${id}`
        expect(await kubectl.ok(`get cm,sharedsecret -o name ${member}`)).to.equal(
          `configmap/one\n${secretName('two')}\n`,
        )
        file('all.yaml', one)
        expect(await kubectl.ok(apply, { env })).to.equal(
          `${done('configmap/one', 'unchanged')}${secretName('two')} pruned\n`,
        )
      },
    }
  }),
]

interface Parent {
  metadata: { labels: Record<string, string> }
}
