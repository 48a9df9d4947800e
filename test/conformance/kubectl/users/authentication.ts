import { expect } from 'chai'
import { accessKeysPath, apiVersion, user, usersPath } from '../../support/objects.ts'
import type { ApiObject } from '../../support/objects.ts'
import type { KubectlScenario } from '../fixtures.ts'
import type { KubectlContext } from '../kubectlContext.ts'

const unauthorized =
  'error: You must be logged in to the server (platform access key not found. Please login again)\n'

/** Key with the rights of the admin and the value `text`. */
async function accessKey({ api, namespace }: KubectlContext, text: string): Promise<string> {
  const name = `key-${namespace}`
  const key: ApiObject = {
    apiVersion,
    kind: 'OwnedAccessKey',
    metadata: { name },
    spec: { user: 'admin', key: text },
  }
  await api.create(accessKeysPath, key)
  return name
}

export const authenticationScenarios: readonly KubectlScenario[] = [
  {
    name: 'a bad token: Unauthorized',
    run: async ({ kubectl }) => {
      expect(await kubectl.fails('--token=bad get users')).to.equal(unauthorized)
    },
  },
  {
    name: 'an access key that kubectl creates is shown to its creator once, and is a token',
    run: async ({ kubectl, namespace, file }) => {
      const name = `key-${namespace}`
      file('key.yaml', {
        apiVersion,
        kind: 'OwnedAccessKey',
        metadata: { name },
        spec: { user: 'admin' },
      })
      const key = await kubectl.ok('create -f key.yaml -o jsonpath={.spec.key}')
      expect(key).to.match(/^\w{32,}$/)
      const token = `--token=${key}`
      const admin = await kubectl.ok(`${token} get user admin -o name`)
      expect(admin).to.equal('user.management.platform/admin\n')
      const stored = await kubectl.ok(`get ownedaccesskey ${name} -o jsonpath={.spec.key}`)
      expect(stored).to.not.contain(key)
    },
  },
  {
    name: 'a key that is disabled or deleted is a bad token from then on',
    run: async (context) => {
      const { kubectl } = context
      const name = await accessKey(context, `text-of-${context.namespace}-key-0123456789`)
      const token = `--token=text-of-${context.namespace}-key-0123456789`
      await kubectl.ok(`${token} get users`)
      const disabled = (value: boolean) =>
        `patch ownedaccesskey ${name} --type=merge -p {"spec":{"disabled":${value}}}`
      await kubectl.ok(disabled(true))
      expect(await kubectl.fails(`${token} get users`)).to.equal(unauthorized)
      await kubectl.ok(disabled(false))
      await kubectl.ok(`${token} get users`)
      await kubectl.ok(`delete ownedaccesskey ${name}`)
      expect(await kubectl.fails(`${token} get users`)).to.equal(unauthorized)
    },
  },
  {
    name: "a disabled user's key is a bad token",
    run: async ({ kubectl, api, namespace }) => {
      const name = `off-${namespace}`
      const key = `text-of-${name}-key-0123456789`
      await api.create(usersPath, user(name, { username: name, groups: ['system:masters'] }))
      await api.create(accessKeysPath, {
        apiVersion,
        kind: 'OwnedAccessKey',
        metadata: { name },
        spec: { user: name, key },
      })
      await kubectl.ok(`--token=${key} get users`)
      await api.mergePatch(`${usersPath}/${name}`, { spec: { disabled: true } })
      expect(await kubectl.fails(`--token=${key} get users`)).to.equal(unauthorized)
    },
  },
]
