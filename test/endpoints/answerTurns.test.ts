import { expect } from 'chai'
import { RawSocket } from './support/rawSocket.ts'
import { useTestServer } from './support/testServer.ts'

const configMaps = '/api/v1/namespaces/default/configmaps'
const asTable = 'application/json;as=Table;v=v1;g=meta.k8s.io'

describe('documents built for one response', function () {
  this.timeout(20_000)
  const server = useTestServer()

  before(async () => {
    const data = { text: 'x'.repeat(10_000) }
    for (let at = 0; at < 40; at++)
      await server().admin.post(configMaps, { metadata: { name: `map-${at}` }, data })
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`k${at}`, 'x']))
    await server().admin.post(configMaps, { metadata: { name: 'many' }, data: many })
  })

  const asMetadata = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io'
  for (const { what, path, accept } of [
    { what: 'a list as a table', path: configMaps, accept: asTable },
    { what: 'a list as YAML', path: configMaps, accept: 'application/yaml' },
    { what: 'a list of metadata', path: configMaps, accept: asMetadata },
    { what: 'an object as YAML', path: `${configMaps}/many`, accept: 'application/yaml' },
    { what: 'an indented object', path: `${configMaps}/many?pretty=1`, accept: '*/*' },
  ]) {
    it(`${what} is built in turns: other requests wait for one turn only`, async () => {
      const count = 40
      const open = () => RawSocket.open(server().admin.port)
      const lists = await Promise.all(Array.from({ length: count }, open))
      const other = await open()
      const get = (target: string, type: string) =>
        `GET ${target} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${server().running.adminAccessKey}\r\nAccept: ${type}\r\n\r\n`
      let answered = 0
      for (const list of lists) {
        list.socket.once('data', () => answered++)
        list.write(get(path, accept))
      }
      other.write(get(`/api/v1/namespaces/default`, 'application/json'))
      await other.until('HTTP/1.1 200')
      expect(answered).to.be.lessThan(count - 10)
      for (const list of lists) await list.until('HTTP/1.1 200')
      for (const socket of [...lists, other]) socket.close()
    })
  }
})
