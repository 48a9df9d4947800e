import { expect } from 'chai'
import { LoopMeter } from '../endpoints/support/loopMeter.ts'
import { useTestServer } from '../endpoints/support/testServer.ts'
import { deadline } from '../support/deadlines.ts'

const core = '/api/v1/namespaces'

describe('limit ranges with many resources', function () {
  this.timeout(60_000)
  const server = useTestServer()
  let namespace: string
  let count = 0

  beforeEach(async () => {
    const name = `limited-${count++}`
    namespace = `${core}/${name}`
    expect((await server().admin.post(core, { metadata: { name } })).status).to.equal(201)
  })

  const resources = (prefix: string, length: number) =>
    Object.fromEntries(Array.from({ length }, (_, at) => [`e.com/${prefix}${at}`, '5']))

  async function limit(limits: object): Promise<void> {
    const body = { metadata: { generateName: 'l' }, spec: { limits: [limits] } }
    const { status, text } = await server().admin.post(`${namespace}/limitranges`, body)
    expect(status, text).to.equal(201)
  }

  async function createPod(containers: number, own: (at: number) => object = () => ({})) {
    const meter = new LoopMeter()
    const answer = await server().admin.post(`${namespace}/pods?dryRun=All`, {
      metadata: { name: 'p' },
      spec: {
        containers: Array.from({ length: containers }, (_, at) => ({
          ...{ name: `c${at}`, image: 'i', resources: own(at) },
        })),
      },
    })
    const longest = meter.take()
    meter.stop()
    expect(longest).to.be.below(deadline(150))
    return answer
  }

  it('do not add more to a pod than a request may have', async () => {
    for (const prefix of ['a', 'b', 'c']) {
      await limit({ type: 'Container', max: resources(prefix, 1_000) })
    }
    const { status, text } = await createPod(2_000)
    expect(status, text).to.equal(413)
    expect(text).to.contain('defaults of limit ranges exceed 3145728 characters')
  })

  it('are compared with containers in turns, and report a limited number of problems', async () => {
    const both = (value: string) => ({ cpu: value, memory: value })
    for (let at = 0; at < 20; at++) {
      await limit({ type: 'Container', max: both('9') })
    }
    await limit({ type: 'Container', min: both('5') })
    // Equal problems are reported once.
    const { status, text } = await createPod(2_000, (at) => ({
      requests: both(`${at + 1}m`),
      limits: both('9'),
    }))
    expect(status, text.slice(0, 300)).to.equal(403)
    expect(text.split('minimum ').length - 1).to.equal(1_000)
  })

  it('set the default of the first range that has one', async () => {
    await limit({ type: 'Container', default: { cpu: '2' } })
    await limit({ type: 'Container', default: { cpu: '3', memory: '1Gi' } })
    const answer = await createPod(2)
    const limits = answer.field('spec', 'containers', 1, 'resources', 'limits') as { cpu: string }
    expect(limits).to.have.keys('cpu', 'memory')
    expect(['2', '3']).to.include(limits.cpu)
  })
})
