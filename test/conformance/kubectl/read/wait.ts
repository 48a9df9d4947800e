import { expect } from 'chai'
import { secretsPath } from '../../support/objects.ts'
import { secret, secretName, type KubectlScenario } from '../fixtures.ts'

const met = `${secretName('one')} condition met\n`
const waitForSecond = "wait sharedsecret/one --for=jsonpath='{.spec.displayName}'=Second"

export const waitScenarios: readonly KubectlScenario[] = [
  {
    name: 'wait --for=jsonpath ends when the field has the value',
    run: async ({ kubectl, api, namespace, file }) => {
      file('one.yaml', secret('one'))
      await kubectl.ok('create -f one.yaml')
      const waiting = kubectl.start(`${waitForSecond} --timeout=15s -v=8`)
      await untilWatching(waiting)
      await api.mergePatch(`${secretsPath(namespace)}/one`, { spec: { displayName: 'Second' } })
      const { code, stdout } = await waiting.done
      expect({ code, stdout }).to.deep.equal({ code: 0, stdout: met })
      expect(await kubectl.ok(`${waitForSecond} --timeout=5s`)).to.equal(met)
    },
  },
  {
    name: 'wait that is not met times out',
    run: async ({ kubectl, file }) => {
      file('one.yaml', secret('one'))
      await kubectl.ok('create -f one.yaml')
      expect(await kubectl.fails(`${waitForSecond} --timeout=1s`)).to.match(
        /^error: timed out waiting for the condition on sharedsecrets\/one\n$/m,
      )
    },
  },
  {
    name: 'wait --for=delete ends when the object is gone',
    run: async ({ kubectl, api, namespace, file }) => {
      file('one.yaml', secret('one'))
      await kubectl.ok('create -f one.yaml')
      const waiting = kubectl.start('wait sharedsecret/one --for=delete --timeout=15s -v=8')
      await untilWatching(waiting)
      await api.delete(`${secretsPath(namespace)}/one`)
      const { code, stdout } = await waiting.done
      expect({ code, stdout }).to.deep.equal({ code: 0, stdout: met })
    },
  },
  {
    name: 'wait --for=jsonpath of a namespace that is Active',
    run: async ({ kubectl, namespace }) => {
      const line = `wait ns/${namespace} --for=jsonpath='{.status.phase}'=Active --timeout=5s`
      expect(await kubectl.ok(line)).to.equal(`namespace/${namespace} condition met\n`)
    },
  },
]

/** Waits for the watch, which the log of requests shows once it is open. */
async function untilWatching(waiting: {
  until: (test: (written: { stderr: string }) => boolean) => Promise<void>
}): Promise<void> {
  await waiting.until(({ stderr }) => /watch=true/.test(stderr))
}
