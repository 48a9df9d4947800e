import { expect } from 'chai'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openTestServer, useTestServer } from '../endpoints/support/testServer.ts'
import { definitionsPath, widgetDefinition, widgetsPath } from '../support/definitions.ts'
import { waitUntil } from '../support/waitUntil.ts'
import { clusterBase, instanceBase, makePlanes } from './planes/planeServer.ts'

const definition = widgetDefinition({
  properties: {
    spec: {
      type: 'object',
      properties: { size: { type: 'integer' }, color: { type: 'string', default: 'red' } },
      'x-kubernetes-validations': [{ rule: 'self.size < 10' }],
    },
  },
})
const widget = {
  ...{ kind: 'Widget', apiVersion: 'example.com/v1', metadata: { name: 'a' } },
  spec: { size: 1 },
}

describe('custom resources of a server', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'custom-resources-'))
  })
  after(() => rm(folder, { recursive: true, force: true }))

  it('exist after a restart, with their rules', async () => {
    const options = { storage: 'level', dataDir: folder } as const
    const first = await openTestServer(options)
    await first.admin.post(definitionsPath, definition)
    const created = await first.admin.post(widgetsPath, widget)
    await first.running.stop()

    const second = await openTestServer(options)
    try {
      const read = await second.admin.get(`${widgetsPath}/a`)
      expect([read.status, read.json]).to.deep.equal([200, created.json])
      const patch = { spec: { size: 10 } }
      const refused = await second.admin.patch(`${widgetsPath}/a`, 'merge-patch+json', patch)
      expect(refused.field('message')).to.equal(
        'Widget.example.com "a" is invalid: spec: Invalid value: failed rule: self.size < 10',
      )
    } finally {
      await second.running.stop()
    }
  })
})

describe('custom resources of control planes', () => {
  const server = useTestServer()
  before(() => makePlanes(server().admin, { hosts: ['one', 'two'], virtual: ['web'] }))

  for (const [title, base] of [
    ['a host cluster', clusterBase('one')],
    ['a virtual cluster', instanceBase('web')],
  ] as const) {
    it(`${title} has its own`, async () => {
      const { admin } = server()
      const path = `${base}${definitionsPath}`
      expect((await admin.post(path, definition)).status).to.equal(201)
      expect((await admin.post(`${base}${widgetsPath}`, widget)).status).to.equal(201)
      const elsewhere = await admin.get(`${clusterBase('two')}${widgetsPath}`)
      expect(elsewhere.status).to.equal(404)
      const groups = await admin.get(`${base}/apis/example.com`)
      expect(groups.field('preferredVersion', 'version')).to.equal('v1')
      expect((await admin.get(`${clusterBase('two')}/apis/example.com`)).status).to.equal(404)
      await admin.delete(`${path}/widgets.example.com`)
      await waitUntil(async () => (await admin.get(`${path}/widgets.example.com`)).status === 404)
      expect((await admin.get(`${base}${widgetsPath}`)).status).to.equal(404)
    })
  }
})
