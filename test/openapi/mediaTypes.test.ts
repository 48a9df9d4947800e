import { expect } from 'chai'
import { hasProtobuf } from '../../apiserver/encoding/protobuf/kindIndex.ts'
import type { GroupVersionKind } from '../../apiserver/meta/types.ts'
import { useTestServer } from '../endpoints/support/testServer.ts'

interface Operation {
  produces: string[]
  'x-kubernetes-action'?: string
  'x-kubernetes-group-version-kind'?: GroupVersionKind
}

describe('media types of the OpenAPI documents', () => {
  const server = useTestServer()

  it('include protobuf for exactly the kinds that have it (reference 6.3)', async () => {
    const answer = await server().admin.get('/openapi/v2')
    const paths = answer.field('paths') as Record<string, Record<string, Operation | undefined>>
    const wrong = Object.entries(paths).flatMap(([path, { get, post }]) => {
      const operation = get ?? post
      const kind = operation?.['x-kubernetes-group-version-kind']
      if (operation === undefined || kind === undefined) return []
      if (operation['x-kubernetes-action'] === 'connect') return []
      const isWatch = path.includes('/watch/')
      const types = ['application/vnd.kubernetes.protobuf'].concat(
        isWatch ? 'application/vnd.kubernetes.protobuf;stream=watch' : [],
      )
      const says = types.every((type) => operation.produces.includes(type))
      return says === hasProtobuf(kind) ? [] : [`${path} ${kind.kind}`]
    })
    expect(wrong).to.deep.equal([])
  })
})
