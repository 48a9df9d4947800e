import { EtcdStorage } from '../../apiserver/storage/etcd/etcdStorage.ts'
import { keepsProgressInOrder } from '../../apiserver/storage/etcd/watchTrust.ts'
import { realClock } from '../../apiserver/runtime/realClock.ts'
import { describeWithEtcd, EtcdServer } from '../support/etcd/etcdServer.ts'
import { RelativeStorage } from './etcd/relativeStorage.ts'
import { describeStorage } from './storageSuite.ts'
import { skip } from '../support/skip.ts'

describeWithEtcd('A storage on etcd', (binary) => {
  let etcd: EtcdServer
  let count = 0
  before(async function () {
    etcd = await EtcdServer.start(binary)
    // The suite counts revisions, and each read of history there uses one for a mark.
    if (!keepsProgressInOrder(await etcd.version()))
      skip(this, 'this etcd sends progress out of order')
  })
  after(() => etcd.remove())

  const open = async (): Promise<RelativeStorage> => {
    const access = { endpoints: [etcd.endpoint], credentials: {} }
    const prefix = `/test/${++count}`
    return new RelativeStorage(await EtcdStorage.open({ access, prefix, clock: realClock }))
  }
  describeStorage('etcd', open, { predictsRevisions: false })
})
