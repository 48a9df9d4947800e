import { expect } from 'chai'
import { Agent } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { ProtobufCodec } from '../../../apiserver/encoding/protobuf/protobufCodec.ts'
import { decodeWholeYaml } from '../../../apiserver/encoding/yaml.ts'
import { HttpClient, type Answer } from '../support/httpClient.ts'
import { useTestServer } from '../support/testServer.ts'

const configMaps = '/api/v1/namespaces/default/configmaps'
const json = 'application/json'
const yaml = 'application/yaml'
const protobuf = 'application/vnd.kubernetes.protobuf'
const metadataOnly = 'as=PartialObjectMetadataList;v=v1;g=meta.k8s.io'

/** All forms of a list. */
const forms = [
  { name: 'JSON', accept: json, query: '' },
  { name: 'pretty JSON', accept: json, query: 'pretty=true' },
  { name: 'YAML', accept: yaml, query: '' },
  { name: 'protobuf', accept: protobuf, query: '' },
  { name: 'metadata in JSON', accept: `${json};${metadataOnly}`, query: '' },
  { name: 'metadata in YAML', accept: `${yaml};${metadataOnly}`, query: '' },
  { name: 'metadata in protobuf', accept: `${protobuf};${metadataOnly}`, query: '' },
  { name: 'a table', accept: `${json};as=Table;v=v1;g=meta.k8s.io`, query: '' },
  {
    name: 'a table with objects',
    accept: `${json};as=Table;v=v1;g=meta.k8s.io`,
    query: 'includeObject=Object',
  },
]
const selections = [
  '',
  'labelSelector=color%3Dred',
  'fieldSelector=metadata.name!%3Dm3',
  'limit=70',
]
const selected = 'labelSelector=color%3Dred&limit=30'

interface List {
  metadata: { resourceVersion: string }
  items?: unknown[]
  rows?: { cells: unknown[] }[]
}

describe('a list in any form', () => {
  const codec = new ProtobufCodec()
  const agent = new Agent({ keepAlive: true })
  let client: HttpClient
  let isWriting = true
  let writers: Promise<void>[] = []

  // Stops before the server.
  after(async () => {
    isWriting = false
    await Promise.all(writers)
    agent.destroy()
  })

  const server = useTestServer()

  before(async () => {
    const { admin } = server()
    client = new HttpClient(admin.base, admin.headers, agent)
    for (let at = 0; at < 150; at++) await client.post(configMaps, configMap(`m${at}`, at))
    writers = [0, 1, 2, 3].map(write)
  })

  const configMap = (name: string, at: number) => ({
    metadata: { name, labels: { color: at % 2 === 0 ? 'red' : 'blue' } },
    data: { at: `${at}`.repeat(40) },
  })

  /** Changes, deletes and creates every fourth object in turn, endlessly. */
  async function write(own: number): Promise<void> {
    for (let count = 0; isWriting; count++) {
      const name = `m${((count * 4) % 148) + own}`
      if (count % 3 === 0) {
        await client.delete(`${configMaps}/${name}`)
        await client.post(configMaps, configMap(name, count))
      } else await client.put(`${configMaps}/${name}`, configMap(name, count))
    }
  }

  async function decoded({ headers, bytes: body }: Answer): Promise<List> {
    const bytes = headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body
    const type = headers['content-type']
    // The response is a list.
    if (type === protobuf) return (await codec.decode(bytes)).value as unknown as List
    if (type === yaml) return (await decodeWholeYaml(bytes)).value as List
    const list = JSON.parse(bytes.toString()) as List
    // The age of an object is not part of its state.
    for (const { cells } of list.rows ?? []) cells.pop()
    return list
  }

  const queries = [...selections, selected]
  for (const { name, accept, query: form } of forms) {
    for (const selection of queries) {
      for (const encoding of ['identity', 'gzip']) {
        it(`${name}, ${selection || 'all'}, ${encoding}: equals the exact list at its revision under four writers`, async () => {
          const headers = { accept, 'accept-encoding': encoding }
          const path = `${configMaps}?${[form, selection].filter(Boolean).join('&')}`
          for (let round = 0; round < 3; round++) {
            const answer = await client.get(path, headers)
            expect(answer.status, answer.text).to.equal(200)
            const list = await decoded(answer)
            const { resourceVersion } = list.metadata
            const exact = `resourceVersion=${resourceVersion}&resourceVersionMatch=Exact`
            const then = await decoded(await client.get(`${path}&${exact}`, headers))
            expect(list).to.deep.equal(then)
            expect((list.items ?? list.rows ?? []).length).to.be.above(20)
          }
        })
      }
    }
  }
})
