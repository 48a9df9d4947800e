import { expect } from 'chai'
import { labelled, secret, type KubectlScenario } from '../fixtures.ts'

export const describeScenarios: readonly KubectlScenario[] = [
  {
    name: 'describe prints the whole object',
    run: async ({ kubectl, namespace, file }) => {
      file('one.yaml', labelled(secret('one'), { tier: 'gold' }))
      await kubectl.ok('create -f one.yaml')
      const text = await kubectl.ok('describe sharedsecret one')
      const [head = ''] = text.split('\nMetadata:\n')
      expect(head.split('\n')).to.deep.equal([
        'Name:         one',
        `Namespace:    ${namespace}`,
        'Labels:       tier=gold',
        'Annotations:  <none>',
        'API Version:  management.platform/v1',
        'Kind:         SharedSecret',
      ])
      expect(text).to.contain('\nSpec:\n  Data:\n    Password:    c2VjcmV0\n')
      expect(text).to.match(/\nEvents:\s+<none>\n$/)
    },
  },
  {
    name: 'describe of a namespace shows its status',
    run: async ({ kubectl, namespace }) => {
      const text = await kubectl.ok(`describe namespace ${namespace}`)
      expect(text).to.match(new RegExp(`^Name: {9}${namespace}\n`))
      expect(text).to.match(/^Labels: {7}kubernetes\.io\/metadata\.name=/m)
      expect(text).to.match(/^Status: {7}Active$/m)
    },
  },
  {
    name: 'describe of what is not there is NotFound',
    run: async ({ kubectl }) => {
      expect(await kubectl.fails('describe user nobody')).to.equal(
        'Error from server (NotFound): users.management.platform "nobody" not found\n',
      )
    },
  },
]
