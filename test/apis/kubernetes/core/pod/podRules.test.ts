import { expect } from 'chai'
import { BuiltInKinds } from '../../../../support/builtInKinds.ts'
import { refusal } from '../../../../support/refusal.ts'

/** Answers of a server of release 1.35. */
interface Case {
  name: string
  spec: Record<string, unknown>
  causes: string[]
}

const cases: Case[] = [
  {
    name: 'a probe without anything to do',
    spec: {
      containers: [
        {
          name: 'c',
          image: 'i',
          livenessProbe: { successThreshold: 2, terminationGracePeriodSeconds: 0 },
        },
      ],
    },
    causes: [
      'spec.containers[0].livenessProbe: Required value: must specify a handler type',
      'spec.containers[0].livenessProbe.terminationGracePeriodSeconds: Invalid value: 0: must be greater than 0',
      'spec.containers[0].livenessProbe.successThreshold: Invalid value: 2: must be 1',
    ],
  },
  {
    name: 'two handlers, and a grace where none is taken',
    spec: {
      containers: [
        {
          name: 'c',
          image: 'i',
          readinessProbe: {
            exec: { command: ['x'] },
            httpGet: { port: 'Bad--' },
            terminationGracePeriodSeconds: 1,
          },
        },
      ],
    },
    causes: [
      'spec.containers[0].readinessProbe.httpGet: Forbidden: may not specify more than 1 handler type',
      'spec.containers[0].readinessProbe.terminationGracePeriodSeconds: Invalid value: 1: must not be set for readinessProbes',
    ],
  },
  {
    name: 'a request over HTTP',
    spec: {
      containers: [
        {
          name: 'c',
          image: 'i',
          startupProbe: { httpGet: { port: 0, scheme: 'FTP', httpHeaders: [{ name: 'a b' }] } },
        },
      ],
    },
    causes: [
      'spec.containers[0].startupProbe.httpGet.port: Invalid value: 0: must be between 1 and 65535, inclusive',
      'spec.containers[0].startupProbe.httpGet.scheme: Unsupported value: "FTP": supported values: "HTTP", "HTTPS"',
      "spec.containers[0].startupProbe.httpGet.httpHeaders: Invalid value: \"a b\": a valid HTTP header must consist of alphanumeric characters or '-' (e.g. 'X-Header-Name', regex used for validation is '[-A-Za-z0-9]+')",
    ],
  },
  {
    name: 'hooks',
    spec: {
      containers: [
        {
          name: 'c',
          image: 'i',
          lifecycle: { postStart: { exec: {} }, preStop: { sleep: { seconds: 31 } } },
        },
      ],
    },
    causes: [
      'spec.containers[0].lifecycle.postStart.exec.command: Required value',
      'spec.containers[0].lifecycle.preStop.sleep: Invalid value: 31: must be non-negative and less than terminationGracePeriodSeconds (30)',
    ],
  },
  {
    name: 'variables',
    spec: {
      containers: [
        {
          name: 'c',
          image: 'i',
          env: [
            { name: 'A=', value: 'x', valueFrom: { fieldRef: { fieldPath: 'spec.x' } } },
            { name: 'B', valueFrom: {} },
            { name: 'C', valueFrom: { resourceFieldRef: { resource: 'x' } } },
          ],
          envFrom: [{}],
        },
      ],
    },
    causes: [
      'spec.containers[0].env[0].name: Invalid value: "A=": a valid environment variable name must consist only of printable ASCII characters other than \'=\'',
      'spec.containers[0].env[0].valueFrom.fieldRef.fieldPath: Invalid value: "spec.x": error converting fieldPath: field label not supported: spec.x',
      'spec.containers[0].env[0].valueFrom: Invalid value: "": may not be specified when `value` is not empty',
      'spec.containers[0].env[1].valueFrom: Invalid value: "": must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`',
      'spec.containers[0].env[2].valueFrom.resourceFieldRef.resource: Unsupported value: "x": supported values: "limits.cpu", "limits.ephemeral-storage", "limits.memory", "requests.cpu", "requests.ephemeral-storage", "requests.memory"',
      'spec.containers[0].envFrom: Invalid value: "": must specify one of: `configMapRef` or `secretRef`',
    ],
  },
  {
    name: 'mounts and devices',
    spec: {
      containers: [
        {
          name: 'c',
          image: 'i',
          volumeMounts: [
            { name: 'x', mountPath: '/a', subPath: '/b', mountPropagation: 'Bidirectional' },
          ],
          volumeDevices: [{ name: 'y', devicePath: '../x' }],
        },
      ],
    },
    causes: [
      'spec.containers[0].volumeMounts[0].name: Not found: "x"',
      'spec.containers[0].volumeMounts.subPath: Invalid value: "/b": must be a relative path',
      'spec.containers[0].volumeMounts.mountPropagation: Forbidden: Bidirectional mount propagation is available only to privileged containers',
      'spec.containers[0].volumeDevices[0].name: Not found: "y"',
      'spec.containers[0].volumeDevices[0].devicePath: Invalid value: "../x": can not contain backsteps (\'..\')',
    ],
  },
  {
    name: 'resources',
    spec: {
      containers: [
        {
          name: 'c',
          image: 'i',
          resources: { limits: { a: '1', 'hugepages-2Mi': '1' }, requests: { a: '2' } },
        },
      ],
    },
    causes: [
      'spec.containers[0].resources.limits[a]: Invalid value: "a": must be a standard resource type or fully qualified',
      'spec.containers[0].resources.limits[a]: Invalid value: "a": must be a standard resource for containers',
      'spec.containers[0].resources.limits[hugepages-2Mi]: Invalid value: "1": 1 is not positive integer multiple of hugepages-2Mi',
      'spec.containers[0].resources.requests[a]: Invalid value: "a": must be a standard resource type or fully qualified',
      'spec.containers[0].resources.requests[a]: Invalid value: "a": must be a standard resource for containers',
      'spec.containers[0].resources.requests: Invalid value: "2": must be less than or equal to a limit of 1',
      'spec.containers[0].resources.requests[hugepages-2Mi]: Invalid value: "1": 1 is not positive integer multiple of hugepages-2Mi',
      'spec.containers[0].resources: Forbidden: HugePages require cpu or memory',
    ],
  },
  {
    name: 'security',
    spec: {
      containers: [
        {
          name: 'c',
          image: 'i',
          securityContext: {
            runAsUser: -1,
            procMount: 'x',
            seccompProfile: { type: 'Localhost' },
            appArmorProfile: { type: 'x' },
          },
        },
      ],
    },
    causes: [
      'spec.containers[0].securityContext.runAsUser: Invalid value: -1: must be between 0 and 2147483647, inclusive',
      'spec.containers[0].securityContext.procMount: Unsupported value: "x": supported values: "Default", "Unmasked"',
      'spec.containers[0].securityContext.seccompProfile.localhostProfile: Required value: must be set when seccomp type is Localhost',
      'spec.containers[0].securityContext.appArmorProfile.type: Unsupported value: "x": supported values: "Localhost", "RuntimeDefault", "Unconfined"',
    ],
  },
  {
    name: 'ports',
    spec: {
      containers: [
        {
          name: 'c',
          image: 'i',
          ports: [
            { containerPort: 80, hostPort: 80, name: 'a' },
            { containerPort: 80, hostPort: 80, name: 'a' },
            { protocol: 'x' },
          ],
        },
      ],
    },
    causes: [
      'spec.containers[0].ports[1].name: Duplicate value: "a"',
      'spec.containers[0].ports[2].containerPort: Required value',
      'spec.containers[0].ports[2].protocol: Unsupported value: "x": supported values: "SCTP", "TCP", "UDP"',
      'spec.containers[0].ports[1].hostPort: Duplicate value: "TCP//80"',
    ],
  },
  {
    name: 'init containers',
    spec: {
      containers: [{ name: 'c', image: 'i' }],
      initContainers: [
        { name: 'c', image: 'i', livenessProbe: { exec: { command: ['x'] } } },
        { name: 'd', image: 'i', restartPolicy: 'x' },
      ],
    },
    causes: [
      'spec.initContainers[0].name: Duplicate value: "c"',
      'spec.initContainers[0].livenessProbe: Forbidden: may not be set for init containers without restartPolicy=Always',
      'spec.initContainers[1].restartPolicy: Unsupported value: "x": supported values: "Always", "Never", "OnFailure"',
    ],
  },
  {
    name: 'restart rules',
    spec: {
      containers: [
        {
          name: 'c',
          image: 'i',
          restartPolicyRules: [{ action: 'x', exitCodes: { operator: 'y' } }],
        },
      ],
    },
    causes: [
      'spec.containers[0].restartPolicy: Required value: must specify restartPolicy when restart rules are used',
      'spec.containers[0].restartPolicyRules[0].action: Unsupported value: "x": supported values: "Restart", "RestartAllContainers"',
      'spec.containers[0].restartPolicyRules[0].exitCodes.operator: Unsupported value: "y": supported values: "In", "NotIn"',
    ],
  },
  {
    name: 'volumes of two kinds, and twice the same name',
    spec: {
      containers: [{ name: 'c', image: 'i' }],
      volumes: [
        { name: 'a', emptyDir: {}, hostPath: { path: '/x' } },
        { name: 'b', emptyDir: {} },
        { name: 'b', secret: {} },
      ],
    },
    causes: [
      'spec.volumes[0].hostPath: Forbidden: may not specify more than 1 volume type',
      'spec.volumes[2].secret.secretName: Required value',
      'spec.volumes[2].name: Duplicate value: "b"',
    ],
  },
  {
    name: 'files of volumes',
    spec: {
      containers: [{ name: 'c', image: 'i' }],
      volumes: [
        {
          name: 'v0',
          configMap: { name: 'x', defaultMode: 512, items: [{ key: 'k', path: '..x', mode: -1 }] },
        },
        {
          name: 'v1',
          downwardAPI: {
            items: [{ path: 'p' }, { path: 'q', fieldRef: { fieldPath: 'status.phase' } }],
          },
        },
        { name: 'v2', projected: { sources: [{ secret: {} }] } },
      ],
    },
    causes: [
      'spec.volumes[0].configMap.defaultMode: Invalid value: 512: must be a number between 0 and 0777 (octal), both inclusive',
      'spec.volumes[0].configMap.items[0].path: Invalid value: "..x": must not start with \'..\'',
      'spec.volumes[0].configMap.items[0].mode: Invalid value: -1: must be a number between 0 and 0777 (octal), both inclusive',
      'spec.volumes[1].downwardAPI: Required value: one of fieldRef and resourceFieldRef is required',
      'spec.volumes[1].downwardAPI.fieldRef.fieldPath: Unsupported value: "status.phase": supported values: "metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid"',
      'spec.volumes[2].projected.sources[0].secret.name: Required value',
    ],
  },
  {
    name: 'other sources',
    spec: {
      containers: [{ name: 'c', image: 'i' }],
      volumes: [
        { name: 'v0', nfs: { server: 's', path: 'x' } },
        { name: 'v1', iscsi: { targetPortal: 'a', iqn: 'x', lun: 256 } },
        { name: 'v2', csi: {} },
        { name: 'v3', hostPath: { path: '/a/../b', type: 'x' } },
        { name: 'v4', fc: { targetWWNs: ['a'] } },
        { name: 'v5', azureDisk: { diskName: 'd', diskURI: 'x', kind: 'x' } },
        { name: 'v6', ephemeral: { volumeClaimTemplate: { metadata: { name: 'x' }, spec: {} } } },
      ],
    },
    causes: [
      'spec.volumes[0].nfs.path: Invalid value: "x": must be an absolute path',
      'spec.volumes[1].iscsi.iqn: Invalid value: "x": must be valid format starting with iqn, eui, or naa',
      'spec.volumes[1].iscsi.lun: Invalid value: 256: must be between 0 and 255, inclusive',
      'spec.volumes[2].csi.driver: Required value',
      'spec.volumes[3].hostPath.path: Invalid value: "/a/../b": must not contain \'..\'',
      'spec.volumes[3].hostPath.type: Unsupported value: "x": supported values: "", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"',
      'spec.volumes[4].fc.lun: Required value: lun is required if targetWWNs is specified',
      'spec.volumes[5].azureDisk.kind: Unsupported value: "x": supported values: "Dedicated", "Managed", "Shared"',
      'spec.volumes[5].azureDisk.diskURI: Unsupported value: "x": supported values: "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd"',
      'spec.volumes[6].ephemeral.volumeClaimTemplate.metadata.name: Forbidden: cannot be set',
      'spec.volumes[6].ephemeral.volumeClaimTemplate.spec.accessModes: Required value: at least 1 access mode is required',
      'spec.volumes[6].ephemeral.volumeClaimTemplate.spec.resources[storage]: Required value',
    ],
  },
  {
    name: 'affinity',
    spec: {
      containers: [{ name: 'c', image: 'i' }],
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [
              {
                matchExpressions: [{ key: 'a', operator: 'Gt', values: ['1', '2'] }],
                matchFields: [{ key: 'x', operator: 'Exists' }],
              },
            ],
          },
          preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 101, preference: {} }],
        },
        podAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { topologyKey: '', matchLabelKeys: ['a'], namespaces: ['A'] },
          ],
        },
      },
    },
    causes: [
      "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions[0].values: Required value: must be specified single value when `operator` is 'Lt' or 'Gt'",
      'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchFields[0].operator: Invalid value: "Exists": not a valid selector operator',
      'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchFields[0].key: Invalid value: "x": not a valid field selector key',
      'spec.affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight: Invalid value: 101: must be in the range 1-100',
      "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].namespace: Invalid value: \"A\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
      'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].matchLabelKeys: Forbidden: must not be specified when labelSelector is not set',
      'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey: Required value: can not be empty',
      'spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey: Invalid value: "": name part must be non-empty',
      "spec.affinity.podAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].topologyKey: Invalid value: \"\": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')",
    ],
  },
  {
    name: 'spread',
    spec: {
      containers: [{ name: 'c', image: 'i' }],
      topologySpreadConstraints: [
        { maxSkew: 0, topologyKey: '', whenUnsatisfiable: 'x', minDomains: 0 },
      ],
    },
    causes: [
      'spec.topologySpreadConstraints[0].maxSkew: Invalid value: 0: must be greater than zero',
      'spec.topologySpreadConstraints[0].topologyKey: Required value: can not be empty',
      'spec.topologySpreadConstraints[0].whenUnsatisfiable: Unsupported value: "x": supported values: "DoNotSchedule", "ScheduleAnyway"',
      'spec.topologySpreadConstraints[0].minDomains: Invalid value: 0: must be greater than zero',
      'spec.topologySpreadConstraints[0].minDomains: Invalid value: 0: can only use minDomains if whenUnsatisfiable=DoNotSchedule, not x',
    ],
  },
  {
    name: 'tolerations',
    spec: {
      containers: [{ name: 'c', image: 'i' }],
      tolerations: [
        { operator: 'Equal' },
        { key: 'a', operator: 'Exists', value: 'x' },
        { key: 'a', tolerationSeconds: 1, effect: 'x' },
      ],
    },
    causes: [
      'spec.tolerations[0].operator: Invalid value: "Equal": operator must be Exists when `key` is empty, which means "match all values and all keys"',
      'spec.tolerations[1].operator: Invalid value: "x": value must be empty when `operator` is \'Exists\'',
      'spec.tolerations[2].effect: Invalid value: "x": effect must be \'NoExecute\' when `tolerationSeconds` is set',
      'spec.tolerations[2].effect: Unsupported value: "x": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
    ],
  },
  {
    name: 'names and addresses',
    spec: {
      containers: [{ name: 'c', image: 'i' }],
      hostname: 'a.b',
      subdomain: 'A',
      priorityClassName: 'A',
      dnsPolicy: 'None',
      hostAliases: [{ ip: 'x', hostnames: ['A'] }],
      nodeSelector: { a: 'b c' },
    },
    causes: [
      "spec.nodeSelector: Invalid value: \"b c\": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')",
      'spec.dnsConfig: Required value: must provide `dnsConfig` when `dnsPolicy` is None',
      'spec.hostname: Invalid value: "a.b": must not contain dots',
      "spec.subdomain: Invalid value: \"A\": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')",
      'spec.hostAliases[0].ip: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
      "spec.hostAliases[0].hostnames[0]: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
      "spec.priorityClassName: Invalid value: \"A\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')",
    ],
  },
  {
    name: 'names of resolvers',
    spec: {
      containers: [{ name: 'c', image: 'i' }],
      dnsConfig: { nameservers: ['x'], searches: ['A_'], options: [{}] },
    },
    causes: [
      'spec.dnsConfig.nameservers[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
      "spec.dnsConfig.searches[0]: Invalid value: \"A_\": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(\\._?[a-z0-9]([-_a-z0-9]*[a-z0-9])?)*')",
      'spec.dnsConfig.options[0]: Required value: must not be empty',
    ],
  },
  {
    name: 'gates',
    spec: {
      containers: [{ name: 'c', image: 'i' }],
      schedulingGates: [{ name: 'a' }, { name: 'a' }],
      nodeName: 'n',
    },
    causes: [
      'spec.schedulingGates[1]: Duplicate value: "a"',
      'spec.nodeName: Forbidden: cannot be set until all schedulingGates have been cleared',
    ],
  },
  {
    name: 'resources of the pod',
    spec: { containers: [{ name: 'c', image: 'i' }], resources: { limits: { storage: '1' } } },
    causes: [
      'spec.resources.limits[storage]: Unsupported value: "storage": supported values: "cpu", "hugepages-", "memory"',
    ],
  },
  {
    name: 'a system and a policy',
    spec: { containers: [{ name: 'c', image: 'i' }], os: { name: 'x' }, preemptionPolicy: 'x' },
    causes: [
      'spec.preemptionPolicy: Unsupported value: "x": supported values: "PreemptLowerPriority", "Never"',
      'spec.os: Unsupported value: "x": supported values: "linux", "windows"',
    ],
  },
  {
    name: 'claims',
    spec: {
      containers: [{ name: 'c', image: 'i' }],
      resourceClaims: [{ name: 'a' }, { name: 'a', resourceClaimName: 'x' }],
    },
    causes: [
      'spec.resourceClaims[0]: Invalid value: {"Name":"a","ResourceClaimName":null,"ResourceClaimTemplateName":null}: must specify one of: `resourceClaimName`, `resourceClaimTemplateName`',
      'spec.resourceClaims[1].name: Duplicate value: "a"',
    ],
  },
]

describe('rules of pods', () => {
  let kinds: BuiltInKinds

  beforeEach(async () => {
    kinds = await BuiltInKinds.open()
  })

  afterEach(() => kinds.close())

  for (const { name, spec, causes } of cases) {
    it(`refuses ${name}`, async () => {
      const { details } = await refusal(kinds.create('Pod', { spec }))
      const told = details?.causes?.map(({ field, message }) => `${field ?? ''}: ${message ?? ''}`)
      expect(told).to.deep.equal(causes)
    })
  }
})
