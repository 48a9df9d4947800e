import { ApiException, PatchStrategy, type KubernetesObject } from '@kubernetes/client-node'
import { expect } from 'chai'
import { apiVersion, type ApiObject } from '../support/objects.ts'
import type { Scenario } from '../support/scenario.ts'
import type { ClientNodeContext } from './clientNodeContext.ts'

interface User extends KubernetesObject {
  spec?: Record<string, unknown>
}

/** Status of a refused request. */
async function refusal(answer: Promise<unknown>): Promise<unknown> {
  try {
    await answer
  } catch (error) {
    if (!(error instanceof ApiException)) throw error
    const { code, reason, message } = JSON.parse(String(error.body)) as Record<string, unknown>
    return { code, reason, message }
  }
  throw new Error('The server did not refuse')
}

const stale =
  'the object has been modified; please apply your changes to the latest version and try again'

export const objectScenarios: readonly Scenario<ClientNodeContext>[] = [
  {
    name: 'KubernetesObjectApi creates, reads, replaces, patches and deletes',
    run: async ({ objects, namespace }) => {
      const name = `jane-${namespace}`
      const key = { apiVersion, kind: 'User', metadata: { name } }
      const created = await objects.create<User>({ ...key, spec: { email: 'a@b.c' } })
      expect(created.metadata?.uid).to.match(/^[0-9a-f-]{36}$/)
      const read = await objects.read<User>(key)
      expect(read.spec).to.deep.equal({ email: 'a@b.c' })
      const replaced = await objects.replace<User>({ ...created, spec: { email: 'd@e.f' } })
      expect(replaced.spec).to.deep.equal({ email: 'd@e.f' })
      const patch: User = { ...key, spec: { icon: 'x' } }
      const args = [undefined, undefined, undefined, undefined] as const
      const patched = await objects.patch(patch, ...args, PatchStrategy.MergePatch)
      expect(patched.spec).to.deep.equal({ email: 'd@e.f', icon: 'x' })
      await objects.delete(key)
      expect(await refusal(objects.read(key))).to.deep.equal({
        code: 404,
        reason: 'NotFound',
        message: `users.management.platform "${name}" not found`,
      })
    },
  },
  {
    name: 'CustomObjectsApi creates, reads, patches and deletes; a stale replace is a Conflict',
    run: async ({ custom, secrets }) => {
      const body = { metadata: { name: 'one' }, spec: { displayName: 'First' } }
      const created = (await custom.createNamespacedCustomObject({ ...secrets, body })) as ApiObject
      expect(created).to.include({ kind: 'SharedSecret', apiVersion })
      const one = { ...secrets, name: 'one' }
      const operations = [{ op: 'replace', path: '/spec/displayName', value: 'Second' }]
      await custom.patchNamespacedCustomObject({ ...one, body: operations })
      const read = (await custom.getNamespacedCustomObject(one)) as ApiObject
      expect(read.spec).to.deep.equal({ displayName: 'Second', owner: { user: 'admin' } })
      const replacing = custom.replaceNamespacedCustomObject({ ...one, body: created })
      expect(await refusal(replacing)).to.deep.equal({
        code: 409,
        reason: 'Conflict',
        message: `Operation cannot be fulfilled on sharedsecrets.management.platform "one": ${stale}`,
      })
      await custom.deleteNamespacedCustomObject(one)
      expect(await refusal(custom.getNamespacedCustomObject(one))).to.include({ code: 404 })
    },
  },
  {
    name: 'CoreV1Api reads, creates and deletes namespaces as typed objects',
    run: async ({ core, namespace }) => {
      const name = `${namespace}-typed`
      const created = await core.createNamespace({ body: { metadata: { name } } })
      expect(created.status?.phase).to.equal('Active')
      expect(created.metadata?.creationTimestamp).to.be.an.instanceOf(Date)
      const names = (await core.listNamespace()).items.map(({ metadata }) => metadata?.name)
      expect(names).to.include.members(['default', name])
      await core.deleteNamespace({ name })
    },
  },
]
