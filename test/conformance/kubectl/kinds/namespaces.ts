import { expect } from 'chai'
import { columns } from '../../support/columns.ts'
import { namespaceObject, namespacesPath, secretsPath } from '../../support/objects.ts'
import { secret, type KubectlScenario } from '../fixtures.ts'

export const namespaceScenarios: readonly KubectlScenario[] = [
  {
    name: 'a namespace is applied, shown as Active and deleted',
    run: async ({ kubectl, namespace, file }) => {
      const name = `${namespace}-new`
      file('ns.yaml', namespaceObject(name))
      expect(await kubectl.ok('apply -f ns.yaml')).to.equal(`namespace/${name} created\n`)
      expect(await kubectl.ok('apply -f ns.yaml')).to.equal(`namespace/${name} unchanged\n`)
      expect(columns(await kubectl.ok(`get ns ${name}`))).to.deep.equal([
        'NAME | STATUS | AGE',
        `${name} | Active | <age>`,
      ])
      expect(await kubectl.ok(`delete ns ${name}`)).to.equal(`namespace "${name}" deleted\n`)
      expect(await kubectl.fails(`get ns ${name}`)).to.equal(
        `Error from server (NotFound): namespaces "${name}" not found\n`,
      )
    },
  },
  {
    name: 'a deleted namespace takes its content with it',
    run: async ({ kubectl, namespace, api, file }) => {
      file('two.yaml', secret('one'), secret('two'))
      await kubectl.ok('create -f two.yaml')
      await kubectl.ok(`delete ns ${namespace}`)
      expect((await api.list(secretsPath(namespace))).items).to.deep.equal([])
      file('ns.yaml', namespaceObject(namespace))
      await kubectl.ok('create -f ns.yaml')
      expect(await kubectl.ok('get sharedsecrets -o name')).to.equal('')
    },
  },
  {
    name: 'create in a namespace that is not there: NotFound',
    run: async ({ kubectl, file }) => {
      file('one.yaml', secret('one'))
      expect(await kubectl.fails('create -f one.yaml -n nowhere')).to.equal(
        'Error from server (NotFound): error when creating "one.yaml": namespaces "nowhere" not found\n',
      )
    },
  },
  {
    name: 'create in a namespace that is being deleted: Forbidden, until its content is gone',
    run: async ({ kubectl, namespace, api, file }) => {
      const held = { name: 'held', finalizers: ['test.example/hold'] }
      await api.create(secretsPath(namespace), { ...secret('held'), metadata: held })
      await kubectl.ok(`delete ns ${namespace} --wait=false`)
      expect(columns(await kubectl.ok(`get ns ${namespace}`))[1]).to.match(/\| Terminating \|/)
      file('one.yaml', secret('one'))
      expect(await kubectl.fails('create -f one.yaml')).to.equal(
        `Error from server (Forbidden): error when creating "one.yaml": sharedsecrets.management.platform "one" is forbidden: unable to create new content in namespace ${namespace} because it is being terminated\n`,
      )
      await api.mergePatch(`${secretsPath(namespace)}/held`, { metadata: { finalizers: null } })
      const gone = `wait ns/${namespace} --for=delete --timeout=15s`
      expect(await kubectl.run(gone)).to.include({ code: 0 })
      const answer = await api.request('GET', `${namespacesPath}/${namespace}`)
      expect(answer.status).to.equal(404)
    },
  },
  {
    name: 'the namespace in a file must be the one asked for',
    run: async ({ kubectl, namespace, file }) => {
      const metadata = { name: 'one', namespace: 'other' }
      file('one.yaml', { ...secret('one'), metadata })
      expect(await kubectl.fails(`create -f one.yaml -n ${namespace}`)).to.match(
        /^error: the namespace from the provided object "other" does not match the namespace "space-\d+"\. You must pass '--namespace=other' to perform this operation\.\n$/,
      )
    },
  },
]
