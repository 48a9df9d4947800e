import { expect } from 'chai'
import { namespaceLifecycle } from '../../apiserver/admission/plugins/namespaceLifecycle.ts'
import type { ApiObject } from '../../apiserver/meta/types.ts'
import type { AdmissionRequest } from '../../apiserver/registry/admission.ts'

const request = {
  resource: { group: '', plural: 'configmaps', namespaced: true },
  namespace: 'shop',
  name: 'one',
} as unknown as AdmissionRequest

describe('NamespaceLifecycle, when another server has just created the namespace', () => {
  it('admits a create after reads have caught up', async () => {
    const world = behind({ metadata: { name: 'shop' } })

    await world.admit()

    expect(world.caughtUp()).to.equal(1)
  })

  it('refuses a create in a namespace that is still missing then', async () => {
    const refusal = await behind(undefined)
      .admit()
      .catch((error: unknown) => error)

    expect(refusal).to.include({ code: 404, message: 'namespaces "shop" not found' })
  })

  it('refuses a create in a namespace that turns out to be terminating', async () => {
    const metadata = { name: 'shop', deletionTimestamp: '2026-01-01T00:00:00Z' }
    const refusal = await behind({ metadata })
      .admit()
      .catch((error: unknown) => error)

    expect(refusal).to.include({ code: 403 })
  })
})

/** Server that sees the namespace once it has caught up. */
function behind(namespace: Pick<ApiObject, 'metadata'> | undefined) {
  let times = 0
  const lookup = () => (times === 0 ? undefined : (namespace as ApiObject | undefined))
  const reachNewest = async () => void times++
  const plugin = namespaceLifecycle(lookup, { reachNewest })
  return {
    admit: async () => plugin.mutate?.(request, { number: 0, reinvoke: false, state: new Map() }),
    caughtUp: () => times,
  }
}
