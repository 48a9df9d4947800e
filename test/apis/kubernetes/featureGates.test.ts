import { expect } from 'chai'
import { BuiltInTypes } from '../../../apiserver/apis/kubernetes/builtInTypes.ts'
import { canonicalForm, objectSchema } from '../../../apiserver/registry/schema/canonicalForm.ts'
import { isCanonical } from '../../../apiserver/registry/schema/isCanonical.ts'
import { bareDefinitions } from '../../support/kinds/bareDefinitions.ts'

/** Source: seen on kube-apiserver 1.37.2. */
describe('fields behind disabled feature gates', () => {
  const types = new BuiltInTypes()
  const cases = [
    {
      type: 'PodSpec',
      field: 'evictionResponders',
      sent: { nodeName: 'n', evictionResponders: [{ name: 'acme.io/foo', priority: 1 }] },
      want: { nodeName: 'n' },
    },
    {
      type: 'PodSpec',
      field: 'schedulingGroup',
      sent: { nodeName: 'n', schedulingGroup: { podGroupName: 'g' } },
      want: { nodeName: 'n' },
    },
    { type: 'EmptyDirVolumeSource', field: 'mode', sent: { mode: 511 }, want: {} },
    {
      type: 'VolumeMount',
      field: 'bindMountOptions',
      sent: { name: 'v', mountPath: '/x', bindMountOptions: ['noexec'] },
      want: { name: 'v', mountPath: '/x' },
    },
    {
      type: 'KeyToPath',
      field: 'user',
      sent: { key: 'a', path: 'b', user: 3 },
      want: { key: 'a', path: 'b' },
    },
  ]
  for (const { type, field, sent, want } of cases) {
    it(`${type}.${field} is known and dropped`, () => {
      const { containers: _containers, ...properties } =
        types.schema('core/v1', type).properties ?? {}
      const schema = { type: 'object', properties } as const
      expect(canonicalForm(sent, schema)).to.deep.include({ value: want, unknownFields: [] })
      expect(isCanonical(sent, schema)).to.equal(false)
    })

    it(`${type}.${field} is published`, () => {
      const { properties = {} } = bareDefinitions.schema(`io.k8s.api.core.v1.${type}`) ?? {}
      expect(properties).to.have.property(field)
    })
  }

  it('keeps fields behind enabled feature gates', () => {
    const schema = objectSchema(types.schema('core/v1', 'PodSpec'))
    const { value } = canonicalForm({ hostnameOverride: 'h', containers: [] }, schema)
    expect(value).to.include({ hostnameOverride: 'h' })
  })

  it('keeps the health of claim templates of a StatefulSet', () => {
    const schema = types.schema('apps/v1', 'StatefulSetSpec').properties?.['volumeClaimTemplates']
    const sent = [{ metadata: {}, spec: {}, status: { healthStatus: { healthConditions: [] } } }]
    const { value } = canonicalForm(sent, schema ?? {}, { keepsEmpty: 'everywhere' })
    expect(value).to.have.nested.property('[0].status.healthStatus')
  })

  it('drops owners of files from the first source of a projection only', () => {
    const podCertificate = { signerName: 'a.b/c', user: 3 }
    const schema = types.schema('core/v1', 'VolumeProjection')
    const form = (sent: object) => canonicalForm(sent, schema).value
    expect(form({ podCertificate })).not.to.have.nested.property('podCertificate.user')
    expect(form({ podCertificate, secret: null })).not.to.have.nested.property(
      'podCertificate.user',
    )
    expect(form({ podCertificate, secret: { name: 's' } })).to.have.nested.property(
      'podCertificate.user',
      3,
    )
  })
})
