import { expect } from 'chai'
import { namespaceObject } from '../../support/objects.ts'
import { secret, secretName, type KubectlScenario } from '../fixtures.ts'

const one = secretName('one')
const displayName = 'get sharedsecret one -o jsonpath={.spec.displayName}'

export const replaceScenarios: readonly KubectlScenario[] = [
  {
    name: 'replace stores the whole object',
    run: async ({ kubectl, file }) => {
      file('one.yaml', secret('one'))
      await kubectl.ok('create -f one.yaml')
      file('one.yaml', { ...secret('one'), spec: { displayName: 'Second' } })
      expect(await kubectl.ok('replace -f one.yaml')).to.equal(`${one} replaced\n`)
      const spec = await kubectl.ok('get sharedsecret one -o jsonpath={.spec}')
      expect(JSON.parse(spec)).to.deep.equal({ displayName: 'Second' })
    },
  },
  {
    name: 'replace with a stale resourceVersion: Conflict',
    run: async ({ kubectl, file }) => {
      file('one.yaml', secret('one'))
      await kubectl.ok('create -f one.yaml')
      file('stale.yaml', await kubectl.ok('get sharedsecret one -o yaml'))
      await kubectl.ok('label sharedsecret one changed=yes')
      expect(await kubectl.fails('replace -f stale.yaml')).to.equal(
        'Error from server (Conflict): error when replacing "stale.yaml": Operation cannot be fulfilled on sharedsecrets.management.platform "one": the object has been modified; please apply your changes to the latest version and try again\n',
      )
    },
  },
  {
    name: 'replace of what was just read succeeds',
    run: async ({ kubectl, file }) => {
      file('one.yaml', secret('one'))
      await kubectl.ok('create -f one.yaml')
      const read = await kubectl.ok('get sharedsecret one -o yaml')
      file('one.yaml', read.replace('displayName: First', 'displayName: Second'))
      expect(await kubectl.ok('replace -f one.yaml')).to.equal(`${one} replaced\n`)
      expect(await kubectl.ok(displayName)).to.equal('Second')
    },
  },
  {
    name: 'replace of a namespace that is not there: NotFound',
    run: async ({ kubectl, file }) => {
      file('ns.yaml', namespaceObject('nowhere'))
      expect(await kubectl.fails('replace -f ns.yaml')).to.equal(
        'Error from server (NotFound): error when replacing "ns.yaml": namespaces "nowhere" not found\n',
      )
    },
  },
  {
    name: 'replace of a management object that is not there creates it',
    run: async ({ kubectl, file }) => {
      file('one.yaml', secret('one'))
      expect(await kubectl.ok('replace -f one.yaml')).to.equal(`${one} replaced\n`)
      expect(await kubectl.ok(displayName)).to.equal('First')
    },
  },
  {
    name: 'replace --force deletes and creates: another uid',
    run: async ({ kubectl, file }) => {
      const uid = 'get sharedsecret one -o jsonpath={.metadata.uid}'
      file('one.yaml', secret('one'))
      await kubectl.ok('create -f one.yaml')
      const before = await kubectl.ok(uid)
      const out = await kubectl.ok('replace --force -f one.yaml')
      expect(out).to.match(/^sharedsecret\.management\.platform "one" deleted/)
      expect(out).to.contain(`${one} replaced\n`)
      expect(await kubectl.ok(uid)).to.not.equal(before)
    },
  },
]
