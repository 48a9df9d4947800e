import { expect } from 'chai'
import { secretsPath } from '../../support/objects.ts'
import { secret, type KubectlScenario } from '../fixtures.ts'
import type { KubectlContext } from '../kubectlContext.ts'

/** Output of a deletion; it contains the namespace since 1.34. */
function deleted({ kubectl, namespace }: KubectlContext, name: string): string {
  const where = kubectl.minor >= 34 ? ` from ${namespace} namespace` : ''
  return `sharedsecret.management.platform "${name}" deleted${where}\n`
}

export const deleteScenarios: readonly KubectlScenario[] = [
  {
    name: 'delete removes the object; again: NotFound, or nothing with --ignore-not-found',
    run: async (context) => {
      const { kubectl, file } = context
      file('one.yaml', secret('one'))
      await kubectl.ok('create -f one.yaml')
      expect(await kubectl.ok('delete sharedsecret one')).to.equal(deleted(context, 'one'))
      expect(await kubectl.fails('delete sharedsecret one')).to.equal(
        'Error from server (NotFound): sharedsecrets.management.platform "one" not found\n',
      )
      expect(await kubectl.fails('delete -f one.yaml')).to.equal(
        'Error from server (NotFound): error when deleting "one.yaml": sharedsecrets.management.platform "one" not found\n',
      )
      expect(await kubectl.ok('delete sharedsecret one --ignore-not-found')).to.equal('')
    },
  },
  {
    name: 'delete --all and -l remove many',
    run: async (context) => {
      const { kubectl, api, namespace } = context
      const path = secretsPath(namespace)
      for (const name of ['a', 'b', 'c']) {
        const labels = { first: String(name === 'a') }
        await api.create(path, { ...secret(name), metadata: { name, labels } })
      }
      expect(await kubectl.ok('delete sharedsecrets -l first=true')).to.equal(deleted(context, 'a'))
      expect(await kubectl.ok('delete sharedsecrets --all')).to.equal(
        deleted(context, 'b') + deleted(context, 'c'),
      )
      expect((await api.list(path)).items).to.deep.equal([])
    },
  },
  {
    name: 'delete --dry-run=server deletes nothing',
    run: async ({ kubectl, file }) => {
      file('one.yaml', secret('one'))
      await kubectl.ok('create -f one.yaml')
      const out = await kubectl.ok('delete sharedsecret one --dry-run=server')
      expect(out).to.match(
        /^sharedsecret\.management\.platform "one" deleted .*\(server dry run\)\n$/,
      )
      expect(await kubectl.run('get sharedsecret one')).to.include({ code: 0 })
    },
  },
  {
    name: 'delete waits for the finalizers of an object',
    run: async (context) => {
      const { kubectl, api, namespace } = context
      const path = `${secretsPath(namespace)}/one`
      const metadata = { name: 'one', finalizers: ['test.example/hold'] }
      await api.create(secretsPath(namespace), { ...secret('one'), metadata })
      const deleting = kubectl.start('delete sharedsecret one --timeout=15s')
      await deleting.until(({ stdout }) => stdout === deleted(context, 'one'))
      const marked = await api.get(path)
      expect(marked.metadata.deletionTimestamp).to.match(/^\d{4}-.*Z$/)
      await api.mergePatch(path, { metadata: { finalizers: null } })
      expect(await deleting.done).to.include({ code: 0 })
      expect((await api.list(secretsPath(namespace))).items).to.deep.equal([])
    },
  },
  {
    name: 'delete of an object that a finalizer holds times out',
    run: async ({ kubectl, api, namespace }) => {
      const metadata = { name: 'one', finalizers: ['test.example/hold'] }
      await api.create(secretsPath(namespace), { ...secret('one'), metadata })
      expect(await kubectl.fails('delete sharedsecret one --timeout=1s')).to.match(
        /^error: timed out waiting for the condition on sharedsecrets\/one\n$/m,
      )
      await api.mergePatch(`${secretsPath(namespace)}/one`, { metadata: { finalizers: null } })
    },
  },
  {
    name: 'a default namespace cannot be deleted: Forbidden',
    run: async ({ kubectl }) => {
      expect(await kubectl.fails('delete ns default')).to.equal(
        'Error from server (Forbidden): namespaces "default" is forbidden: this namespace may not be deleted\n',
      )
    },
  },
]
