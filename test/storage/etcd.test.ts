import { EtcdStorage } from '../../apiserver/storage/etcd/etcdStorage.ts'
import { realClock } from '../../apiserver/runtime/realClock.ts'
import { describeWithEtcd, EtcdServer } from '../support/etcd/etcdServer.ts'
import { RelativeStorage } from './etcd/relativeStorage.ts'
import { describeStorage } from './storageSuite.ts'

describeWithEtcd('A storage on etcd', (binary) => {
  let etcd: EtcdServer
  let count = 0
  before(async () => {
    etcd = await EtcdServer.start(binary)
  })
  after(() => etcd.remove())

  const open = async (): Promise<RelativeStorage> => {
    const access = { endpoints: [etcd.endpoint], credentials: {} }
    const prefix = `/test/${++count}`
    return new RelativeStorage(await EtcdStorage.open({ access, prefix, clock: realClock }))
  }
  describeStorage('etcd', open, { predictsRevisions: false })
})
