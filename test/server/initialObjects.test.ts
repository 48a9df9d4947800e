import { expect } from 'chai'
import { useTestServer } from '../endpoints/support/testServer.ts'
import { waitUntil } from '../support/waitUntil.ts'

interface Entry {
  manager: string
  operation: string
  subresource?: string
  fieldsV1: object
}

const rbac = '/apis/rbac.authorization.k8s.io/v1'
const flowcontrol = '/apis/flowcontrol.apiserver.k8s.io/v1'
const networking = '/apis/networking.k8s.io/v1'

describe('initial objects', () => {
  const server = useTestServer()
  const entriesOf = async (path: string): Promise<Entry[]> => {
    const answer = await server().admin.get(path)
    return (answer.field('metadata', 'managedFields') ?? []) as Entry[]
  }
  const managersOf = async (path: string) =>
    (await entriesOf(path)).map(({ manager, operation, subresource = '' }) =>
      [manager, operation, subresource].join(' ').trim(),
    )

  const objects: { path: string; managers: string[] }[] = [
    { path: '/api/v1/namespaces/default', managers: ['kube-apiserver Update'] },
    { path: '/api/v1/namespaces/default/services/kubernetes', managers: ['kube-apiserver Update'] },
    { path: `${rbac}/clusterroles/cluster-admin`, managers: ['kube-apiserver Update'] },
    { path: `${rbac}/clusterrolebindings/cluster-admin`, managers: ['kube-apiserver Update'] },
    { path: `${networking}/ipaddresses/10.96.0.1`, managers: ['kube-apiserver Update'] },
    {
      path: '/apis/scheduling.k8s.io/v1/priorityclasses/system-node-critical',
      managers: ['kube-apiserver Update'],
    },
    {
      path: `${flowcontrol}/prioritylevelconfigurations/exempt`,
      managers: ['api-priority-and-fairness-config-producer-v1 Update'],
    },
    {
      path: `${flowcontrol}/flowschemas/exempt`,
      managers: [
        'api-priority-and-fairness-config-consumer-v1 Apply status',
        'api-priority-and-fairness-config-producer-v1 Update',
      ],
    },
    {
      path: `${networking}/servicecidrs/kubernetes`,
      managers: ['kubernetes-service-cidr-controller Apply status', 'kube-apiserver Update'],
    },
  ]
  for (const { path, managers } of objects) {
    it(`${path} has the field managers of kube-apiserver`, async () => {
      await waitUntil(async () => (await managersOf(path)).length === managers.length)
      expect(await managersOf(path)).to.deep.equal(managers)
    })
  }

  it('later writes of clients are tracked', async () => {
    const path = '/api/v1/namespaces/default?fieldManager=m'
    const body = { metadata: { labels: { tracked: 'yes' } } }
    const answer = await server().admin.patch(path, 'merge-patch+json', body)
    expect(answer.status, answer.text).to.equal(200)
    const own = (await entriesOf('/api/v1/namespaces/default')).find(
      ({ manager }) => manager === 'm',
    )
    expect(own?.fieldsV1).to.deep.equal({ 'f:metadata': { 'f:labels': { 'f:tracked': {} } } })
  })
})
