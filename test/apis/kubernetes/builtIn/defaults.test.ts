import { expect } from 'chai'
import { ProtobufCodec } from '../../../../apiserver/encoding/protobuf/protobufCodec.ts'
import type { ApiObject } from '../../../../apiserver/meta/types.ts'
import { BuiltInKinds, onePod } from '../../../support/builtInKinds.ts'
import { canonical } from '../../../support/stores.ts'
import { vectorLines } from '../../../support/vectorLines.ts'

interface Case {
  kind: string
  sent: Record<string, unknown>
  stored: Record<string, unknown>
}

// The file contains lines of this type.
const cases = vectorLines('defaults.vectors.jsonl', import.meta.url) as Case[]

describe('defaults of built-in kinds', () => {
  const codec = new ProtobufCodec()
  let kinds: BuiltInKinds

  beforeEach(async () => {
    kinds = await BuiltInKinds.open()
  })

  afterEach(() => kinds.close())

  for (const { kind, sent, stored } of cases) {
    it(`a stored ${kind} has its defaults`, async () => {
      const {
        kind: _kind,
        apiVersion: _version,
        metadata: _meta,
        ...made
      } = await kinds.create(kind, sent)
      expect(made).to.deep.equal(stored)
    })

    it(`a ${kind} has the same defaults as protobuf`, async () => {
      const made = await kinds.create(kind, sent)
      const resource = kinds.resource(kind)
      const { value } = await codec.decode(await codec.encode(made, resource))
      const decoded = canonical(value as ApiObject, resource)
      resource.strategy.setDefaults?.(decoded)
      expect(canonical(decoded, resource)).to.deep.equal(made)
    })

    it(`sending a ${kind} again changes nothing`, async () => {
      const made = await kinds.create(kind, sent)
      const transform = () => kinds.object(kind, { ...sent, metadata: made.metadata })
      const { bytes } = await kinds
        .store(kind)
        .update(kinds.request(kind), { transform }, kinds.request(kind))
      expect(JSON.parse(bytes.toString())).to.deep.equal(made)
    })
  }

  it('a job selects the pods that carry its UID', async () => {
    const made = await kinds.create('Job', {
      spec: { template: { spec: { ...onePod, restartPolicy: 'Never' } } },
    })
    const { uid } = made.metadata
    const { selector: made_, template: made_template } = made['spec'] as Record<string, unknown>
    expect(made_).to.deep.equal({ matchLabels: { 'batch.kubernetes.io/controller-uid': uid } })
    expect((made_template as { metadata: unknown }).metadata).to.deep.equal({
      labels: {
        'batch.kubernetes.io/controller-uid': uid,
        'batch.kubernetes.io/job-name': 'a',
        'controller-uid': uid,
        'job-name': 'a',
      },
    })
  })

  it('the image tag latest defaults to Always, probes and handlers to their numbers', async () => {
    const made = await kinds.create('Pod', {
      spec: {
        containers: [
          {
            name: 'c',
            image: 'host:5000/i',
            readinessProbe: { httpGet: { port: 'web' } },
            livenessProbe: { grpc: { port: 1 }, periodSeconds: 3 },
            ports: [{ containerPort: 80 }],
            resources: { limits: { cpu: '1', memory: '1Gi' } },
          },
        ],
        volumes: [{ name: 'v' }, { name: 's', secret: { secretName: 'x' } }],
      },
    })
    const spec = made['spec'] as { containers: Record<string, unknown>[]; volumes: unknown }
    expect(spec.containers[0]).to.deep.include({
      imagePullPolicy: 'Always',
      readinessProbe: {
        httpGet: { path: '/', port: 'web', scheme: 'HTTP' },
        timeoutSeconds: 1,
        periodSeconds: 10,
        successThreshold: 1,
        failureThreshold: 3,
      },
      livenessProbe: {
        grpc: { port: 1, service: '' },
        timeoutSeconds: 1,
        periodSeconds: 3,
        successThreshold: 1,
        failureThreshold: 3,
      },
      ports: [{ containerPort: 80, protocol: 'TCP' }],
      resources: {
        limits: { cpu: '1', memory: '1Gi' },
        requests: { cpu: '1', memory: '1Gi' },
      },
    })
    expect(spec.volumes).to.deep.equal([
      { name: 'v', emptyDir: {} },
      { name: 's', secret: { secretName: 'x', defaultMode: 420 } },
    ])
    expect(made['status']).to.deep.equal({ phase: 'Pending', qosClass: 'Guaranteed' })
  })
})
