import { KeyValueOperator } from '../../support/keyValue/keyValueOperator.ts'
import { KeyValueServer } from '../../support/keyValue/keyValueServer.ts'
import { secretStoreSuite } from './secretStoreSuite.ts'

describe('SecretStoreSync with a server that speaks the published protocol', () => {
  let server: KeyValueServer
  let address = ''

  before(async () => {
    server = new KeyValueServer()
    address = `http://${await server.listen()}`
  })

  after(() => server.close())

  secretStoreSuite(() => new KeyValueOperator(address, 'root'))
})
