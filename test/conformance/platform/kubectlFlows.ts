import { expect } from 'chai'
import { parse } from 'yaml'
import { eventually } from '../support/eventually.ts'
import { secretName, type KubectlScenario } from '../kubectl/fixtures.ts'
import type { KubectlContext } from '../kubectl/kubectlContext.ts'
import { apiVersion, type ApiObject } from '../support/objects.ts'

const unauthorized = 'platform access key not found. Please login again'

function object(kind: string, name: string, spec: Record<string, unknown> = {}): ApiObject {
  return { apiVersion, kind, metadata: { name }, spec }
}

/** Creates the object with kubectl; returns the value at `path` in the response. */
async function created({ kubectl, file }: KubectlContext, made: ApiObject, path = '{.kind}') {
  file('made.yaml', made)
  return kubectl.ok(`create -f made.yaml -o jsonpath=${path}`)
}

/** Creates a user with a key, for --token of kubectl. */
async function person(context: KubectlContext, label: string, spec: Record<string, unknown> = {}) {
  const name = `${label}-${context.namespace}`
  await created(context, object('User', name, { username: name, subject: name, ...spec }))
  const key = await created(context, object('OwnedAccessKey', name, { user: name }), '{.spec.key}')
  return { name, as: `--token=${key}` }
}

const shareFlows: readonly KubectlScenario[] = [
  {
    name: 'platform: first access, with the kubeconfig of the first start',
    run: async (context) => {
      const { kubectl } = context
      expect(await created(context, object('Self', 'me'), '{.status.subject}')).to.equal('admin')
      expect(await kubectl.ok('get user admin -o name')).to.equal(
        'user.management.platform/admin\n',
      )
      expect(await kubectl.ok('auth can-i delete users')).to.equal('yes\n')
    },
  },
  {
    name: 'platform: sharing a secret by an access entry, and its removal',
    run: async (context) => {
      const { kubectl } = context
      const { name, as } = await person(context, 'reader')
      await created(context, object('SharedSecret', 'db', { data: { password: 'cGFzcw==' } }))
      const get = `${as} get ${secretName('db')} -o jsonpath={.spec.data.password}`
      expect(await kubectl.fails(get)).to.contain('(Forbidden)')
      const entry = JSON.stringify([{ verbs: ['get'], users: [name] }])
      const patch = (access: string) =>
        kubectl.ok(`patch sharedsecret db --type=merge -p {"spec":{"access":${access}}}`)
      await patch(entry)
      await eventually(async () => expect(await kubectl.ok(get)).to.equal('cGFzcw=='))
      expect(await kubectl.ok(`${as} auth can-i get sharedsecret/db`)).to.equal('yes\n')
      expect(await kubectl.fails(`${as} delete sharedsecret db`)).to.contain('(Forbidden)')
      await patch('null')
      await eventually(() => kubectl.fails(get))
    },
  },
  {
    name: 'platform: a key with a scope reaches its project alone',
    run: async (context) => {
      const { kubectl, namespace } = context
      await created(context, object('Project', namespace))
      const scope = { projects: [{ project: namespace }] }
      const made = object('OwnedAccessKey', namespace, { user: 'admin', scope })
      const as = `--token=${await created(context, made, '{.spec.key}')}`
      await kubectl.ok(`${as} get projectsecrets -n p-${namespace}`)
      expect(await kubectl.fails(`${as} get users`)).to.contain(
        'the scope of the access key does not cover this request',
      )
    },
  },
  {
    name: 'platform: a key expires after its two seconds',
    run: async (context) => {
      const { kubectl, namespace } = context
      const made = object('OwnedAccessKey', `short-${namespace}`, { user: 'admin', ttl: 2 })
      const as = `--token=${await created(context, made, '{.spec.key}')}`
      await eventually(async () =>
        expect(await kubectl.fails(`${as} get users`)).to.contain(unauthorized),
      )
      await eventually(() => kubectl.fails(`get ownedaccesskey short-${namespace}`))
    },
  },
  {
    name: 'platform: disabling a user ends its open watch',
    run: async (context) => {
      const { kubectl } = context
      const { name, as } = await person(context, 'watcher', { groups: ['system:masters'] })
      const watch = kubectl.start(`${as} get teams --watch-only -o name`)
      await created(context, object('Team', `first-${name}`))
      // The watch may start after the team was created.
      await eventually(async () => {
        await kubectl.ok(`label --overwrite team first-${name} at=${Date.now()}`)
        expect(watch.stdout).to.contain(`first-${name}`)
      })
      await kubectl.ok(`patch user ${name} --type=merge -p {"spec":{"disabled":true}}`)
      await watch.done
      expect(await kubectl.fails(`${as} get teams`)).to.contain(unauthorized)
    },
  },
]

interface Kubeconfig {
  users: [{ name: string; user: { token: string } }]
}

/** Creates a virtual cluster with the name of its project. @returns its kubeconfig. */
async function kubeconfigOf({ api }: KubectlContext, name: string, spec = {}): Promise<string> {
  await api.create(`/apis/${apiVersion}/projects`, object('Project', name))
  const template = { accessPoint: { ingress: { enabled: true } } }
  const instances = `/apis/${apiVersion}/namespaces/p-${name}/virtualclusterinstances`
  await api.create(instances, object('VirtualClusterInstance', name, { template }))
  const body = { apiVersion, kind: 'VirtualClusterInstanceKubeConfig', metadata: {}, spec }
  const answer = await api.create(`${instances}/${name}/kubeconfig`, body)
  // The platform defines this field for the kind.
  return (answer as ApiObject & { status: { kubeConfig: string } }).status.kubeConfig
}

/**
 * Sends the request as the admin: a user without access to a virtual cluster does not learn whether
 * it exists.
 */
async function whyNotInside(context: KubectlContext, name: string): Promise<string | undefined> {
  await kubeconfigOf(context, name)
  const path = `/kubernetes/project/${name}/virtualcluster/${name}/api`
  const { status } = await context.api.request('GET', path)
  return status === 404 ? `404 for ${path}: no virtual clusters are served` : undefined
}

const clusterFlows: readonly KubectlScenario[] = [
  {
    name: 'platform: a token for a direct endpoint is created without a name',
    run: async (context) => {
      const made = { apiVersion, kind: 'DirectClusterEndpointToken', metadata: {}, spec: {} }
      expect(await created(context, made, '{.status.token}')).to.match(/^[\w-]+(\.[\w-]+){2}$/)
    },
  },
  {
    name: "platform: a virtual cluster's kubeconfig opens nothing of the management API",
    run: async (context) => {
      const { kubectl, namespace } = context
      // The platform defines this field for the kind.
      const { users } = parse(await kubeconfigOf(context, namespace)) as Kubeconfig
      expect(users[0].name).to.equal('vcluster')
      const as = `--token=${users[0].user.token}`
      expect(await kubectl.fails(`${as} get users`)).to.contain('(Forbidden)')
    },
  },
  {
    name: "platform: kubectl through a virtual cluster's kubeconfig",
    skip: (context) => whyNotInside(context, 'probe'),
    run: async (context) => {
      const { kubectl, namespace, file } = context
      file('virtual', await kubeconfigOf(context, namespace))
      const inside = '--kubeconfig=virtual'
      await eventually(async () => {
        const found = await kubectl.ok(`${inside} get namespace default -o name`)
        expect(found).to.equal('namespace/default\n')
      })
      await kubectl.ok(`${inside} create configmap inside --from-literal=a=b`)
      const read = 'get configmap inside -n default -o jsonpath={.data.a}'
      expect(await kubectl.ok(`${inside} ${read}`)).to.equal('b')
      expect(await kubectl.fails(read)).to.contain('(NotFound)')
    },
  },
  {
    name: "platform: kubectl through a virtual cluster's kubeconfig with a client certificate",
    skip: (context) => whyNotInside(context, 'probe-certificate'),
    run: async (context) => {
      const { kubectl, namespace, file } = context
      file('virtual', await kubeconfigOf(context, namespace, { clientCert: true }))
      await eventually(async () => {
        const found = await kubectl.ok('--kubeconfig=virtual get namespace default -o name')
        expect(found).to.equal('namespace/default\n')
      })
    },
  },
]

/** Scenarios of platform users with kubectl. */
export const platformScenarios: readonly KubectlScenario[] = [...shareFlows, ...clusterFlows]
