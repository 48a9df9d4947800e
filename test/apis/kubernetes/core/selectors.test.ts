import { expect } from 'chai'
import { namespaceResource } from '../../../../apiserver/apis/kubernetes/core/namespace/namespace.ts'
import { selectorsFor } from '../../../../apiserver/registry/read/listOptions.ts'
import { BuiltInKinds } from '../../../support/builtInKinds.ts'
import { listOptions } from '../../../support/listOptions.ts'
import { refusal } from '../../../support/refusal.ts'

describe('field selectors of the core group', () => {
  let kinds: BuiltInKinds

  beforeEach(async () => {
    kinds = await BuiltInKinds.open()
  })

  afterEach(() => kinds.close())

  const cases = [
    ['Pod', 'spec.host'],
    ['Pod', 'status.podIPs'],
    ['ReplicationController', 'status.replicas'],
    ['PersistentVolume', 'metadata.namespace'],
    ['Service', 'spec.clusterIP'],
    ['Node', 'metadata.namespace', 'field label not supported: metadata.namespace'],
    ['Namespace', 'metadata.namespace', 'field label not supported: metadata.namespace'],
    ['Namespace', 'name', 'field label not supported: name'],
    ['ReplicationController', 'x', 'field label not supported: x'],
  ] as const
  for (const [kind, path, refused] of cases) {
    it(`${kind} by ${path}: ${refused ?? 'accepted'}`, async () => {
      const resource = kind === 'Namespace' ? namespaceResource : kinds.resource(kind)
      const options = listOptions({ fieldSelector: `${path}=x` })
      const select = async () => selectorsFor(options, resource)
      if (refused === undefined) expect((await select()).fields).to.not.equal(undefined)
      else expect((await refusal(select())).message).to.equal(refused)
    })
  }
})
