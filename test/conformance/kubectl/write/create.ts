import { expect } from 'chai'
import { namespaceObject } from '../../support/objects.ts'
import { secret, secretName, type KubectlScenario } from '../fixtures.ts'

const generated = /^sharedsecret\.management\.platform\/gen-[bcdfghjklmnpqrstvwxz2456789]{5}\n$/

export const createScenarios: readonly KubectlScenario[] = [
  {
    name: 'create -f, and again: AlreadyExists',
    run: async ({ kubectl, file }) => {
      file('one.yaml', secret('one'))
      expect(await kubectl.ok('create -f one.yaml')).to.equal(`${secretName('one')} created\n`)
      expect(await kubectl.fails('create -f one.yaml')).to.equal(
        'Error from server (AlreadyExists): error when creating "one.yaml": sharedsecrets.management.platform "one" already exists\n',
      )
    },
  },
  {
    name: 'create from standard input, several objects of several kinds, -o name',
    run: async ({ kubectl, namespace, file }) => {
      const name = `${namespace}-more`
      file('two.yaml', secret('one'), namespaceObject(name), secret('two'))
      const out = await kubectl.ok('create -o name -f two.yaml')
      const names = [secretName('one'), `namespace/${name}`, secretName('two')]
      expect(out).to.equal(names.map((line) => `${line}\n`).join(''))
      const input = JSON.stringify(secret('three'))
      expect(await kubectl.ok('create -f -', { input })).to.equal(
        `${secretName('three')} created\n`,
      )
    },
  },
  {
    name: 'create -o yaml shows the fields that the server fills in',
    run: async ({ kubectl, namespace, file }) => {
      file('one.yaml', secret('one'))
      const out = await kubectl.ok('create -o yaml -f one.yaml')
      expect(out).to.match(/^ {2}creationTimestamp: "\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"$/m)
      expect(out).to.match(/^ {2}generation: 1$/m)
      expect(out).to.match(/^ {2}resourceVersion: "\d+"$/m)
      expect(out).to.match(/^ {2}uid: [0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-/m)
      expect(out).to.contain(`\n  namespace: ${namespace}\n`)
    },
  },
  {
    name: 'create with generateName makes a new name each time',
    run: async ({ kubectl, file }) => {
      const metadata = { generateName: 'gen-' }
      file('gen.yaml', { ...secret(''), metadata })
      const names = [
        await kubectl.ok('create -o name -f gen.yaml'),
        await kubectl.ok('create -o name -f gen.yaml'),
      ]
      for (const name of names) expect(name).to.match(generated)
      expect(names[0]).to.not.equal(names[1])
    },
  },
  {
    name: 'create --dry-run=server answers as a create does and stores nothing',
    run: async ({ kubectl, file }) => {
      file('one.yaml', secret('one'))
      expect(await kubectl.ok('create --dry-run=server -f one.yaml')).to.equal(
        `${secretName('one')} created (server dry run)\n`,
      )
      const out = await kubectl.ok('create --dry-run=server -o yaml -f one.yaml')
      expect(out).to.match(/^ {2}uid: /m)
      expect(out).to.not.match(/resourceVersion/)
      expect(await kubectl.ok('get sharedsecrets -o name')).to.equal('')
    },
  },
]
