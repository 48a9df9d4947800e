import { expect } from 'chai'
import { namespacesPath } from '../../support/objects.ts'
import { service } from './coreFixtures.ts'
import type { KubectlScenario } from '../fixtures.ts'
import type { KubectlContext } from '../kubectlContext.ts'

const met = 'service/one condition met\n'

function condition(status: string) {
  const lastTransitionTime = '2024-01-01T00:00:00Z'
  return { type: 'Ready', status, reason: 'Test', message: '', lastTransitionTime }
}

async function setCondition({ api, namespace }: KubectlContext, status: string): Promise<void> {
  const path = `${namespacesPath}/${namespace}/services/one/status`
  await api.mergePatch(path, { status: { conditions: [condition(status)] } })
}

export const conditionScenarios: readonly KubectlScenario[] = [
  {
    name: 'wait --for=condition ends when the condition is set by another client',
    run: async (context) => {
      const { kubectl, file } = context
      file('one.yaml', service('one', { port: 80 }))
      await kubectl.ok('create -f one.yaml')
      const waiting = kubectl.start('wait svc/one --for=condition=Ready --timeout=15s -v=8')
      await waiting.until(({ stderr }) => stderr.includes('watch=true'))
      await setCondition(context, 'False')
      await setCondition(context, 'True')
      const { code, stdout } = await waiting.done
      expect({ code, stdout }).to.deep.equal({ code: 0, stdout: met })
    },
  },
  {
    name: 'wait --for=condition=Ready=False, -l, --all, and a time-out',
    run: async (context) => {
      const { kubectl, file } = context
      file('one.yaml', service('one', { port: 80 }))
      await kubectl.ok('create -f one.yaml')
      await setCondition(context, 'False')
      const wait = (what: string) => `wait svc ${what} --timeout=1s`
      expect(await kubectl.ok(wait('one --for=condition=Ready=False'))).to.equal(met)
      expect(await kubectl.ok(wait('--all --for=condition=Ready=False'))).to.equal(met)
      expect(await kubectl.fails(wait('one --for=condition=Ready'))).to.equal(
        'error: timed out waiting for the condition on services/one\n',
      )
    },
  },
  {
    name: 'patch --subresource=status sets a condition of a namespace, which wait finds',
    run: async ({ kubectl, namespace }) => {
      const body = JSON.stringify({ status: { conditions: [condition('True')] } })
      const patched = await kubectl.ok(`patch ns ${namespace} --subresource=status -p '${body}'`)
      expect(patched).to.equal(`namespace/${namespace} patched\n`)
      const wait = `wait ns/${namespace} --for=condition=Ready --timeout=5s`
      expect(await kubectl.ok(wait)).to.equal(`namespace/${namespace} condition met\n`)
      const phase = `get ns ${namespace} -o jsonpath={.status.phase} --subresource=status`
      expect(await kubectl.ok(phase)).to.equal('Active')
    },
  },
]
