import { expect } from 'chai'
import { bodyObject } from '../../../apiserver/endpoints/body/bodyObject.ts'
import type { BodyOrigin } from '../../../apiserver/endpoints/body/bodyType.ts'
import { unstructuredVoice } from '../../../apiserver/endpoints/body/goVoices.ts'
import { configMapResource } from '../../../apiserver/apis/kubernetes/core/configMap.ts'
import { secretResource } from '../../../apiserver/apis/kubernetes/core/secret.ts'
import { badRequest } from '../../../apiserver/meta/statusErrors.ts'
import { StatusError } from '../../../apiserver/meta/status.ts'
import { BuiltInKinds } from '../../support/builtInKinds.ts'

/** Error of a decoder for a body, without its prefix; undefined: the body is valid. */
type Refusal = (kind: string, rest: object) => string | undefined

const container = (rest: object) => ({ spec: { containers: [{ name: 'c', image: 'i', ...rest }] } })
const limits = (cpu: unknown) => container({ resources: { limits: { cpu } } })
const deleted = (deletionTimestamp: unknown) => ({ metadata: { name: 'a', deletionTimestamp } })
const renewed = (renewTime: unknown) => ({ spec: { renewTime } })
const data = (a: unknown) => ({ data: { a } })
const unmarshal = (found: string, field: string, type: string) =>
  `json: cannot unmarshal ${found} into Go struct field ${field} of type ${type}`
const shape =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
const layout = '"2006-01-02T15:04:05Z07:00"'
const microLayout = '"2006-01-02T15:04:05.000000Z07:00"'
const port = 'HTTPGetAction.spec.containers.livenessProbe.ProbeHandler.httpGet.port'

const bodies: readonly [string, object, string | undefined][] = [
  [
    'Deployment',
    { spec: { replicas: 'x' } },
    unmarshal('string', 'DeploymentSpec.spec.replicas', 'int32'),
  ],
  [
    'Deployment',
    { spec: { replicas: 1.5 } },
    unmarshal('number 1.5', 'DeploymentSpec.spec.replicas', 'int32'),
  ],
  [
    'Deployment',
    { spec: { replicas: 3e9 } },
    unmarshal('number 3000000000', 'DeploymentSpec.spec.replicas', 'int32'),
  ],
  [
    'Deployment',
    { spec: { paused: 1 } },
    unmarshal('number', 'DeploymentSpec.spec.paused', 'bool'),
  ],
  [
    'Deployment',
    { spec: { template: [] } },
    unmarshal('array', 'DeploymentSpec.spec.template', 'v1.PodTemplateSpec'),
  ],
  [
    'Deployment',
    { spec: { replicas: 'x', paused: 'y' } },
    unmarshal('string', 'DeploymentSpec.spec.replicas', 'int32'),
  ],
  [
    'Deployment',
    { spec: { paused: 'y', replicas: 'x' } },
    unmarshal('string', 'DeploymentSpec.spec.paused', 'bool'),
  ],
  [
    'Pod',
    { spec: { restartPolicy: 5 } },
    unmarshal('number', 'PodSpec.spec.restartPolicy', 'v1.RestartPolicy'),
  ],
  [
    'Pod',
    { spec: { containers: {} } },
    unmarshal('object', 'PodSpec.spec.containers', '[]v1.Container'),
  ],
  [
    'Pod',
    { spec: { containers: ['x'] } },
    unmarshal('string', 'PodSpec.spec.containers', 'v1.Container'),
  ],
  [
    'Pod',
    { spec: { nodeSelector: { a: 5 } } },
    unmarshal('number', 'PodSpec.spec.nodeSelector', 'string'),
  ],
  [
    'Pod',
    { spec: { nodeSelector: [] } },
    unmarshal('array', 'PodSpec.spec.nodeSelector', 'map[string]string'),
  ],
  [
    'Pod',
    container({ env: [{ name: 5 }] }),
    unmarshal('number', 'EnvVar.spec.containers.env.name', 'string'),
  ],
  [
    'Pod',
    container({ livenessProbe: { httpGet: { port: true } } }),
    unmarshal('bool', port, 'int32'),
  ],
  ['Pod', container({ livenessProbe: { httpGet: { port: 'x' } } }), undefined],
  [
    'Pod',
    container({ livenessProbe: { httpGet: 5 } }),
    unmarshal(
      'number',
      'Probe.spec.containers.livenessProbe.ProbeHandler.httpGet',
      'v1.HTTPGetAction',
    ),
  ],
  [
    'Pod',
    container({ securityContext: { capabilities: { add: [5] } } }),
    unmarshal(
      'number',
      'Capabilities.spec.containers.securityContext.capabilities.add',
      'v1.Capability',
    ),
  ],
  [
    'Pod',
    container({ resources: { limits: [] } }),
    unmarshal('array', 'ResourceRequirements.spec.containers.resources.limits', 'v1.ResourceList'),
  ],
  ['Pod', limits('x'), shape],
  ['Pod', limits(true), shape],
  ['Pod', limits('1e'), "unable to parse quantity's suffix"],
  ['Pod', limits(1.5), undefined],
  ['ConfigMap', { metadata: 'x' }, unmarshal('string', 'ConfigMap.metadata', 'v1.ObjectMeta')],
  [
    'ConfigMap',
    { metadata: { uid: 5 } },
    unmarshal('number', 'ObjectMeta.metadata.uid', 'types.UID'),
  ],
  [
    'ConfigMap',
    { metadata: { labels: { a: 5 } } },
    unmarshal('number', 'ObjectMeta.metadata.labels', 'string'),
  ],
  ['ConfigMap', { metadata: { labels: { a: null } } }, undefined],
  ['ConfigMap', data(5), unmarshal('number', 'ConfigMap.data', 'string')],
  ['Secret', data(5), unmarshal('number', 'Secret.data', '[]uint8')],
  ['Secret', data('!'), 'illegal base64 data at input byte 0'],
  ['Secret', data('AAE'), 'illegal base64 data at input byte 0'],
  ['Secret', data('A='), 'illegal base64 data at input byte 1'],
  ['Secret', data('AA='), 'illegal base64 data at input byte 3'],
  ['Secret', data('AA==A'), 'illegal base64 data at input byte 4'],
  ['Secret', data('AA\nA'), 'illegal base64 data at input byte 1'],
  ['Secret', data('AA\n=='), undefined],
  ['ConfigMap', deleted(5), unmarshal('number', 'ObjectMeta.metadata.deletionTimestamp', 'string')],
  ['ConfigMap', deleted('x'), `parsing time "x" as ${layout}: cannot parse "x" as "2006"`],
  [
    'ConfigMap',
    deleted('2020-01-01'),
    `parsing time "2020-01-01" as ${layout}: cannot parse "" as "T"`,
  ],
  [
    'ConfigMap',
    deleted('2020-13-01T00:00:00Z'),
    'parsing time "2020-13-01T00:00:00Z": month out of range',
  ],
  [
    'ConfigMap',
    deleted('2020-02-30T00:00:00Z'),
    'parsing time "2020-02-30T00:00:00Z": day out of range',
  ],
  [
    'ConfigMap',
    deleted('2020-01-01T00:00:00ZZ'),
    'parsing time "2020-01-01T00:00:00ZZ": extra text: "Z"',
  ],
  ['ConfigMap', deleted('2020-01-01T00:00:00.5+01:00'), undefined],
  [
    'Lease',
    renewed('2020-01-01T00:00:00Z'),
    `parsing time "2020-01-01T00:00:00Z" as ${microLayout}: cannot parse "Z" as ".000000"`,
  ],
  [
    'Lease',
    renewed('2020-01-01T00:00:00.0000001Z'),
    `parsing time "2020-01-01T00:00:00.0000001Z" as ${microLayout}: cannot parse "1Z" as "Z07:00"`,
  ],
]

const patched: readonly [string, object, string | undefined][] = [
  ['Deployment', { spec: 'x' }, 'cannot restore struct from: string'],
  ['Deployment', { spec: { replicas: 'x' } }, 'unrecognized type: int32'],
  ['Deployment', { spec: { replicas: 1.5 } }, 'cannot convert float64 to int32'],
  ['Pod', { spec: { restartPolicy: 5 } }, 'cannot convert int64 to v1.RestartPolicy'],
  ['Pod', { spec: { dnsPolicy: true } }, 'unrecognized type: string'],
  ['Pod', { spec: { containers: 'x' } }, 'cannot restore slice from string'],
  ['Pod', { spec: { nodeSelector: 5 } }, 'cannot restore map from int64'],
  [
    'Pod',
    container({ livenessProbe: { httpGet: { port: 1.5 } } }),
    'json: cannot unmarshal number 1.5 into Go value of type int32',
  ],
  [
    'ConfigMap',
    { metadata: { creationTimestamp: 5 } },
    'json: cannot unmarshal number into Go value of type string',
  ],
  ['Secret', data('!'), 'error decoding from json: illegal base64 data at input byte 0'],
]

/** Source: seen on kube-apiserver 1.37.2. */
describe('wrong types in built-in kinds', () => {
  let kinds: BuiltInKinds
  before(async () => (kinds = await BuiltInKinds.open()))
  after(() => kinds.close())

  const refusalOf = (kind: string, rest: object, isPatched: boolean): string | undefined => {
    const all = [...kinds.resources, configMapResource, secretResource]
    const resource = all.find((one) => one.kind === kind) ?? kinds.resource(kind)
    const resources = { all: () => all }
    const reading = { voice: unstructuredVoice, refuse: (why: string) => badRequest(why) }
    const origin: BodyOrigin = isPatched ? { resources, reading } : { resources }
    try {
      bodyObject({ metadata: { name: 'a' }, ...rest }, [], resource, origin)
      return undefined
    } catch (error) {
      if (!(error instanceof StatusError) || error.code !== 400) throw error
      return error.message.replace(`${kind} in version "v1" cannot be handled as a ${kind}: `, '')
    }
  }
  const refusals: Record<string, { cases: typeof bodies; refusal: Refusal }> = {
    'in a body': { cases: bodies, refusal: (kind, rest) => refusalOf(kind, rest, false) },
    'in the result of a strategic merge patch': {
      cases: patched,
      refusal: (kind, rest) => refusalOf(kind, rest, true),
    },
  }

  for (const [where, { cases, refusal }] of Object.entries(refusals))
    for (const [kind, rest, want] of cases)
      it(`${want === undefined ? 'reads' : 'refuses'} ${kind} ${JSON.stringify(rest)} ${where}`, () => {
        expect(refusal(kind, rest)).to.equal(want)
      })
})
