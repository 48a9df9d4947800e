import { expect } from 'chai'
import { BuiltInDefinitions } from '../../../apiserver/apis/kubernetes/builtInDefinitions.ts'
import { kubernetesWords } from '../../../apiserver/runtime/kubernetesWords/kubernetesWords.ts'
import { bareDefinitions } from '../../support/kinds/bareDefinitions.ts'

const core = 'io.k8s.api.core.v1'
const reference = (name: string) => ({ definition: name })

/** Source: `/openapi/v3` of kube-apiserver 1.37.2. */
describe('BuiltInDefinitions', () => {
  const fields = [
    {
      name: 'keeps a patch strategy beside a reference',
      field: ['io.k8s.api.apps.v1.DeploymentSpec', 'strategy'],
      want: {
        ...reference('io.k8s.api.apps.v1.DeploymentStrategy'),
        'x-kubernetes-patch-strategy': 'retainKeys',
        default: {},
      },
    },
    {
      name: 'keeps a patch strategy that only a marker names',
      field: ['io.k8s.api.policy.v1.PodDisruptionBudgetSpec', 'selector'],
      want: {
        ...reference('io.k8s.apimachinery.pkg.apis.meta.v1.LabelSelector'),
        'x-kubernetes-patch-strategy': 'replace',
      },
    },
    {
      name: 'keeps a granular map type over that of the definition',
      field: [`${core}.PersistentVolumeSpec`, 'claimRef'],
      want: { ...reference(`${core}.ObjectReference`), 'x-kubernetes-map-type': 'granular' },
    },
    {
      name: 'lists the values of an enumeration, of items too',
      field: [`${core}.PersistentVolumeSpec`, 'accessModes'],
      want: {
        type: 'array',
        items: {
          type: 'string',
          enum: ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod'],
        },
        'x-kubernetes-list-type': 'atomic',
      },
    },
    {
      name: 'evaluates enumerations and defaults that other constants make',
      field: [`${core}.AzureDiskVolumeSource`, 'cachingMode'],
      want: { type: 'string', enum: ['None', 'ReadOnly', 'ReadWrite'], default: 'ReadWrite' },
    },
    {
      name: 'shows the zero of a scalar that is always written as its default',
      field: [`${core}.ContainerPort`, 'containerPort'],
      want: { type: 'integer', format: 'int32', default: 0 },
    },
    {
      name: 'shows no default of a time',
      field: [`${core}.PodCondition`, 'lastProbeTime'],
      want: reference('io.k8s.apimachinery.pkg.apis.meta.v1.Time'),
    },
  ]
  for (const { name, field, want } of fields) {
    it(name, () => {
      const [definition = '', property = ''] = field
      expect(bareDefinitions.schema(definition)?.properties?.[property]).to.deep.equal(want)
    })
  }

  it('publishes unions with their Go names', () => {
    const { 'x-kubernetes-unions': unions } = bareDefinitions.schema(`${core}.SeccompProfile`) ?? {}
    expect(unions).to.deep.equal([
      {
        discriminator: 'type',
        'fields-to-discriminateBy': { localhostProfile: 'LocalhostProfile' },
      },
    ])
  })

  it('requires fields by their markers rather than their tags', () => {
    const { required } = bareDefinitions.schema(`${core}.ContainerRestartRule`) ?? {}
    expect(required).to.deep.equal(['action'])
  })

  it('has no other groups', () => {
    expect(bareDefinitions.schema('com.example.v1.Widget')).to.equal(undefined)
  })
})

describe('kubernetesWords', () => {
  const described = new BuiltInDefinitions(kubernetesWords())
  const start = (text: string | undefined) => text?.split(/[.\n]/)[0]

  const words = [
    { of: `${core}.Pod`, field: 'spec', says: 'Specification of the desired behavior of the pod' },
    { of: `${core}.Pod`, field: 'apiVersion', says: /^APIVersion defines the versioned schema/ },
    {
      of: 'io.k8s.api.policy.v1.PodDisruptionBudgetSpec',
      field: 'selector',
      says: /^Label query over pods/,
    },
    { of: `${core}.PodSpec`, field: 'hostnameOverride', says: /^HostnameOverride specifies/ },
    { of: `${core}.EmptyDirVolumeSource`, field: 'mode', says: /^Permission bits/ },
    {
      of: 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta',
      field: 'labels',
      says: /^Map of string keys/,
    },
  ]
  for (const { of, field, says } of words) {
    it(`describes ${field} of ${of.split('.').at(-1)}`, () => {
      const text = start(described.schema(of)?.properties?.[field]?.description)
      expect(text).to.match(says instanceof RegExp ? says : new RegExp(`^${says}$`))
    })
  }

  it('keeps paragraphs and enumeration values', () => {
    const { properties } = described.schema('io.k8s.api.core.v1.Container') ?? {}
    expect(properties?.['imagePullPolicy']?.description).to.contain(
      '\n\nPossible enum values:\n - ',
    )
  })
})
