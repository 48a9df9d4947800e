import { expect } from 'chai'
import type { KubectlScenario } from '../fixtures.ts'

/** Create command for each kind; then `kind/one` is described. */
const described: Readonly<Record<string, string>> = {
  configmap: 'create configmap one --from-literal=a=b',
  secret: 'create secret generic one --from-literal=a=b',
  serviceaccount: 'create serviceaccount one',
  service: 'create service clusterip one --tcp=80',
  pod: 'run one --image=image.test/main:1',
  deployment: 'create deployment one --image=image.test/main:1',
  job: 'create job one --image=image.test/main:1',
  cronjob: "create cronjob one --image=image.test/main:1 --schedule='@hourly'",
  ingress: 'create ingress one --rule=host.test/*=one:80',
  resourcequota: 'create quota one --hard=pods=5',
  poddisruptionbudget: 'create pdb one --selector=app=one --min-available=1',
  horizontalpodautoscaler: 'autoscale deployment one --max=5',
  role: 'create role one --verb=get --resource=pods',
  rolebinding: 'create rolebinding one --role=one --user=somebody',
}

/** Kinds without a create subcommand of kubectl. */
const manifests: readonly { kind: string; apiVersion: string; content: Record<string, unknown> }[] =
  [
    {
      kind: 'StatefulSet',
      apiVersion: 'apps/v1',
      content: { spec: { serviceName: 'one', ...withTemplate() } },
    },
    { kind: 'DaemonSet', apiVersion: 'apps/v1', content: { spec: withTemplate() } },
    { kind: 'ReplicaSet', apiVersion: 'apps/v1', content: { spec: withTemplate() } },
    {
      kind: 'NetworkPolicy',
      apiVersion: 'networking.k8s.io/v1',
      content: { spec: { podSelector: {}, policyTypes: ['Ingress'] } },
    },
    {
      kind: 'PersistentVolumeClaim',
      apiVersion: 'v1',
      content: {
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      },
    },
    {
      kind: 'LimitRange',
      apiVersion: 'v1',
      content: { spec: { limits: [{ type: 'Pod', max: { cpu: '2' } }] } },
    },
    {
      kind: 'EndpointSlice',
      apiVersion: 'discovery.k8s.io/v1',
      content: {
        addressType: 'IPv4',
        endpoints: [{ addresses: ['192.0.2.1'], conditions: { ready: true } }],
        ports: [{ name: 'web', port: 80, protocol: 'TCP' }],
      },
    },
    {
      kind: 'Lease',
      apiVersion: 'coordination.k8s.io/v1',
      content: { spec: { holderIdentity: 'me' } },
    },
  ]

function withTemplate() {
  const labels = { app: 'one' }
  const containers = [{ name: 'main', image: 'image.test/main:1' }]
  return {
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers } },
  }
}

export const describeKindScenarios: readonly KubectlScenario[] = [
  {
    name: 'describe tells of each kind that kubectl makes',
    run: async ({ kubectl, namespace }) => {
      for (const [kind, command] of Object.entries(described)) {
        await kubectl.ok(command)
        const text = await kubectl.ok(`describe ${kind} one`)
        expect(text, kind).to.match(/^Name: +one\n/)
        if (!kind.startsWith('role')) expect(text, kind).to.contain(namespace)
      }
    },
  },
  {
    name: 'describe tells of each kind that comes from a file',
    run: async ({ kubectl, file }) => {
      const objects = manifests.map(({ kind, apiVersion, content }) => ({
        kind,
        apiVersion,
        metadata: { name: 'one' },
        ...content,
      }))
      file('all.yaml', ...objects)
      await kubectl.ok('apply -f all.yaml')
      expect(await kubectl.ok('apply -f all.yaml')).to.not.contain('configured')
      for (const { kind } of manifests) {
        expect(await kubectl.ok(`describe ${kind} one`), kind).to.match(/^Name: +one\n/)
      }
    },
  },
  {
    name: 'describe and get events show the events of an object',
    run: async ({ kubectl, api, namespace }) => {
      await kubectl.ok('create configmap one')
      const uid = await kubectl.ok('get cm one -o jsonpath={.metadata.uid}')
      const now = new Date().toISOString().replace(/\.\d+Z$/, 'Z')
      const event = {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { name: 'one.1' },
        involvedObject: { apiVersion: 'v1', kind: 'ConfigMap', namespace, name: 'one', uid },
        reason: 'Made',
        message: 'somebody made it',
        type: 'Normal',
        source: { component: 'tester' },
        firstTimestamp: now,
        lastTimestamp: now,
        count: 1,
      }
      await api.create(`/api/v1/namespaces/${namespace}/events`, event)
      expect(await kubectl.ok('describe cm one')).to.match(/Normal +Made +\S+ +tester +somebody/)
      for (const command of ['get events', 'events --for=configmap/one']) {
        const line = /^\S+ +Normal +Made +(configmap|ConfigMap)\/one +somebody made it$/m
        expect(await kubectl.ok(command), command).to.match(line)
      }
    },
  },
]
