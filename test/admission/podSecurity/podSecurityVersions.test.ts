import { expect } from 'chai'
import {
  violationsOf,
  violationsText,
  type Level,
} from '../../../apiserver/admission/podSecurity/podSecurityLevels.ts'

interface VersionedCase {
  of: string
  level: Level
  pod: { annotations?: Record<string, string>; spec: object }
  /**
   * Last version without the violation, and the violation in the next one; reversed if `until` is
   * set.
   */
  before: string
  since: string
  want: string
  until?: true
}

const safe = {
  allowPrivilegeEscalation: false,
  runAsNonRoot: true,
  capabilities: { drop: ['ALL'] },
  seccompProfile: { type: 'RuntimeDefault' },
}
const contained = (settings: object, rest: object = {}) => ({
  spec: { containers: [{ name: 'c', image: 'i', securityContext: settings, ...rest }] },
})
const without = (name: keyof typeof safe) => contained({ ...safe, [name]: undefined })
const sysctl = (name: string) => ({
  spec: { ...contained(safe).spec, securityContext: { sysctls: [{ name, value: '1' }] } },
})

/** Source: seen on kube-apiserver 1.37.2 with every version. */
const cases: readonly VersionedCase[] = [
  {
    of: 'a profile in an annotation',
    ...{ level: 'baseline', before: 'v1.18', since: 'v1.19', until: true },
    pod: {
      annotations: { 'seccomp.security.alpha.kubernetes.io/pod': 'unconfined' },
      ...contained({}),
    },
    want: 'seccompProfile (forbidden annotation seccomp.security.alpha.kubernetes.io/pod="unconfined")',
  },
  {
    of: 'a profile in a field',
    ...{ level: 'baseline', before: 'v1.18', since: 'v1.19' },
    pod: contained({ seccompProfile: { type: 'Unconfined' } }),
    want: 'seccompProfile (container "c" must not set securityContext.seccompProfile.type to "Unconfined")',
  },
  {
    of: 'escalation',
    ...{
      level: 'restricted',
      before: 'v1.7',
      since: 'v1.8',
      pod: without('allowPrivilegeEscalation'),
    },
    want: 'allowPrivilegeEscalation != false (container "c" must set securityContext.allowPrivilegeEscalation=false)',
  },
  {
    of: 'capabilities that are kept',
    ...{ level: 'restricted', before: 'v1.21', since: 'v1.22', pod: without('capabilities') },
    want: 'unrestricted capabilities (container "c" must set securityContext.capabilities.drop=["ALL"])',
  },
  {
    of: 'the user 0',
    ...{
      level: 'restricted',
      before: 'v1.22',
      since: 'v1.23',
      pod: contained({ ...safe, runAsUser: 0 }),
    },
    want: 'runAsUser=0 (container "c" must not set runAsUser=0)',
  },
  {
    of: 'hosts of probes',
    ...{ level: 'baseline', before: 'v1.33', since: 'v1.34' },
    pod: contained({}, { livenessProbe: { httpGet: { port: 80, host: 'x' } } }),
    want: 'probe or lifecycle host (container "c" uses probe or lifecycle host "x")',
  },
  ...(
    [
      ['net.ipv4.ip_local_reserved_ports', 'v1.26', 'v1.27'],
      ['net.ipv4.tcp_fin_timeout', 'v1.28', 'v1.29'],
      ['net.ipv4.tcp_rmem', 'v1.31', 'v1.32'],
    ] as const
  ).map(([name, before, since]): VersionedCase => ({
    ...{ of: name, level: 'baseline', before, since, until: true, pod: sysctl(name) },
    want: `forbidden sysctls (${name})`,
  })),
  {
    of: 'a type of SELinux',
    ...{ level: 'baseline', before: 'v1.30', since: 'v1.31', until: true },
    pod: contained({ seLinuxOptions: { type: 'container_engine_t' } }),
    want: 'seLinuxOptions (container "c" set forbidden securityContext.seLinuxOptions: type "container_engine_t")',
  },
  {
    of: 'root of users of its own',
    ...{ level: 'restricted', before: 'v1.34', since: 'v1.35', until: true },
    pod: { spec: { ...contained({ ...safe, runAsNonRoot: false }).spec, hostUsers: false } },
    want: 'runAsNonRoot != true (container "c" must not set securityContext.runAsNonRoot=false)',
  },
]

describe('versions of pod security', () => {
  for (const { of, level, pod, before, since, want, until } of cases) {
    it(`refuses ${of} ${until ? 'until' : 'from'} ${until ? before : since}`, () => {
      const told = (version: string) => {
        const { annotations, spec } = pod
        const metadata = annotations === undefined ? {} : { annotations }
        // Each is a pod as its schema has it.
        return violationsText(violationsOf({ level, version }, { metadata, spec }))
      }
      const [bad, good] = until ? [before, since] : [since, before]
      expect([told(bad), told(good)]).to.deep.equal([want, ''])
    })
  }
})
