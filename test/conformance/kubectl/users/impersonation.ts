import { expect } from 'chai'
import { configMap } from '../kinds/coreFixtures.ts'
import type { KubectlScenario } from '../fixtures.ts'

const forbidden = (text: string) => `Error from server (Forbidden): ${text}\n`

export const impersonationScenarios: readonly KubectlScenario[] = [
  {
    name: '--as a user without rights: Forbidden, in each verb and scope (reference 7.6)',
    run: async ({ kubectl, namespace, file }) => {
      // Discovery is cached for every user, and this user may not request it.
      await kubectl.ok('get cm,nodes -o name')
      const where = `in API group "" in the namespace "${namespace}"`
      expect(await kubectl.fails('--as=bob get cm')).to.equal(
        forbidden(`configmaps is forbidden: User "bob" cannot list resource "configmaps" ${where}`),
      )
      expect(await kubectl.fails('--as=bob get cm one')).to.equal(
        forbidden(
          `configmaps "one" is forbidden: User "bob" cannot get resource "configmaps" ${where}`,
        ),
      )
      expect(await kubectl.fails('--as=bob get nodes')).to.equal(
        forbidden(
          'nodes is forbidden: User "bob" cannot list resource "nodes" in API group "" at the cluster scope',
        ),
      )
      file('one.yaml', configMap('one'))
      expect(await kubectl.fails('--as=bob create --validate=false -f one.yaml')).to.contain(
        `configmaps is forbidden: User "bob" cannot create resource "configmaps" ${where}\n`,
      )
      expect(await kubectl.fails('--as=bob --as-group=developers delete cm one')).to.equal(
        forbidden(
          `configmaps "one" is forbidden: User "bob" cannot delete resource "configmaps" ${where}`,
        ),
      )
    },
  },
  {
    name: '--as with --as-group=system:masters and --as-uid may do everything (reference 7.6)',
    run: async ({ kubectl, file }) => {
      file('one.yaml', configMap('one'))
      const as = '--as=bob --as-group=developers --as-group=system:masters'
      expect(await kubectl.ok(`${as} create -f one.yaml`)).to.equal('configmap/one created\n')
      expect(await kubectl.ok(`${as} --as-uid=1234 get cm one -o name`)).to.equal('configmap/one\n')
    },
  },
  {
    name: '--as a service account: Forbidden with its whole name (reference 7.6)',
    run: async ({ kubectl, namespace }) => {
      await kubectl.ok('get cm -o name')
      const name = `system:serviceaccount:${namespace}:robot`
      expect(await kubectl.fails(`--as=${name} get cm`)).to.equal(
        forbidden(
          `configmaps is forbidden: User "${name}" cannot list resource "configmaps" in API group "" in the namespace "${namespace}"`,
        ),
      )
    },
  },
  {
    name: '--as-group alone is refused by kubectl itself (reference 7.6)',
    run: async ({ kubectl }) => {
      expect(await kubectl.fails('--as-group=developers get cm')).to.match(
        /without impersonating a user/,
      )
    },
  },
]
