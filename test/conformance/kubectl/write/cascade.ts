import { expect } from 'chai'
import { eventually } from '../../support/eventually.ts'
import { namespacesPath } from '../../support/objects.ts'
import { configMap, coreSecret, deletedLine } from '../kinds/coreFixtures.ts'
import type { KubectlScenario } from '../fixtures.ts'
import type { KubectlContext } from '../kubectlContext.ts'

const mapsPath = ({ namespace }: KubectlContext) => `${namespacesPath}/${namespace}/configmaps`

/** Owner and two dependents that may have a finalizer. */
async function family(context: KubectlContext, finalizers: string[] = []): Promise<void> {
  const { api } = context
  const path = mapsPath(context)
  const { metadata } = await api.create(path, configMap('owner'))
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: metadata.uid }
  for (const name of ['child-a', 'child-b']) {
    const ownerReferences = [{ ...owner, blockOwnerDeletion: true }]
    const child = { ...configMap(name), metadata: { name, finalizers, ownerReferences } }
    await api.create(path, child)
  }
}

async function left(context: KubectlContext): Promise<string[]> {
  const { items } = await context.api.list(mapsPath(context))
  const names = items.map(({ metadata }) => String(metadata.name))
  // Every namespace has this service account.
  return names.filter((name) => name !== 'kube-root-ca.crt').sort()
}

async function untilLeft(context: KubectlContext, ...names: string[]): Promise<void> {
  await eventually(async () => expect(await left(context)).to.deep.equal(names))
}

const line = (context: KubectlContext) => deletedLine(context, 'configmap "owner"')

export const cascadeScenarios: readonly KubectlScenario[] = [
  ...['', ' --cascade=background'].map((flag): KubectlScenario => ({
    name: `delete${flag} deletes the owner, and its dependents after it (reference 3.6)`,
    run: async (context) => {
      await family(context)
      expect(await context.kubectl.ok(`delete cm owner${flag}`)).to.equal(line(context))
      await untilLeft(context)
    },
  })),
  {
    name: 'delete --cascade=foreground waits for the dependents (reference 3.6)',
    run: async (context) => {
      const { kubectl, api } = context
      await family(context, ['test.example/hold'])
      const deleting = kubectl.start('delete cm owner --cascade=foreground --timeout=15s')
      await deleting.until(({ stdout }) => stdout === line(context))
      const { metadata } = await api.get(`${mapsPath(context)}/owner`)
      expect(metadata.finalizers).to.deep.equal(['foregroundDeletion'])
      for (const name of ['child-a', 'child-b']) {
        await api.mergePatch(`${mapsPath(context)}/${name}`, { metadata: { finalizers: null } })
      }
      expect(await deleting.done).to.include({ code: 0 })
      expect(await left(context)).to.deep.equal([])
    },
  },
  {
    name: 'delete --cascade=orphan leaves the dependents without an owner (reference 3.6)',
    run: async (context) => {
      await family(context)
      expect(await context.kubectl.ok('delete cm owner --cascade=orphan')).to.equal(line(context))
      await untilLeft(context, 'child-a', 'child-b')
      const owners = 'get cm -o jsonpath={.items[*].metadata.ownerReferences}'
      expect(await context.kubectl.ok(owners)).to.equal('')
    },
  },
  {
    name: 'delete -f of several kinds, and again with --ignore-not-found',
    run: async (context) => {
      const { kubectl, file } = context
      file('all.yaml', configMap('one'), coreSecret('two'))
      await kubectl.ok('create -f all.yaml')
      const lines = ['configmap "one"', 'secret "two"'].map((what) => deletedLine(context, what))
      expect(await kubectl.ok('delete -f all.yaml')).to.equal(lines.join(''))
      expect(await kubectl.ok('delete -f all.yaml --ignore-not-found')).to.equal('')
    },
  },
  {
    name: 'replace --force deletes and creates anew',
    run: async (context) => {
      const { kubectl, file } = context
      file('one.yaml', configMap('one', { a: 'first' }))
      await kubectl.ok('create -f one.yaml')
      const uid = 'get cm one -o jsonpath={.metadata.uid}'
      const before = await kubectl.ok(uid)
      expect(await kubectl.ok('replace --force -f one.yaml')).to.equal(
        `${deletedLine(context, 'configmap "one"')}configmap/one replaced\n`,
      )
      expect(await kubectl.ok(uid)).to.not.equal(before)
    },
  },
]
