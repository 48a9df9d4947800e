interface SecurityPod {
  spec: object
  annotations?: Readonly<Record<string, string>>
}

const safe = {
  allowPrivilegeEscalation: false,
  runAsNonRoot: true,
  capabilities: { drop: ['ALL'] },
  seccompProfile: { type: 'RuntimeDefault' },
}
const container = (securityContext: object, rest: object = {}) => ({
  ...{ name: 'c', image: 'i', securityContext },
  ...rest,
})
/** Pod with one container that has these settings in addition to safe ones. */
const contained = (settings: object, rest: object = {}): SecurityPod => ({
  spec: { containers: [container({ ...safe, ...settings }, rest)] },
})
const whole = (fields: object): SecurityPod => ({
  spec: { containers: [container(safe)], ...fields },
})
const volume = (source: object) => whole({ volumes: [{ name: 'v', ...source }] })
const capabilities = (add: string[], drop = ['ALL']) => contained({ capabilities: { add, drop } })
const secure = (securityContext: object) => whole({ securityContext })
const without = (name: keyof typeof safe): SecurityPod => {
  const { [name]: _left, ...rest } = safe
  return { spec: { containers: [container(rest)] } }
}
const annotated = (annotations: Record<string, string>): SecurityPod => ({
  ...contained({}),
  annotations,
})
const handler = (host: string) => ({ httpGet: { port: 80, host } })

const volumeSources: Readonly<Record<string, object>> = {
  ...{
    hostPath: { hostPath: { path: '/x' } },
    emptyDir: { emptyDir: {} },
    configMap: { configMap: { name: 'x' } },
  },
  ...{
    secret: { secret: { secretName: 'x' } },
    projected: { projected: { sources: [] } },
    downwardAPI: { downwardAPI: {} },
  },
  ...{
    csi: { csi: { driver: 'x.example.com' } },
    claim: { persistentVolumeClaim: { claimName: 'x' } },
  },
  ephemeral: {
    ephemeral: {
      volumeClaimTemplate: {
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1' } } },
      },
    },
  },
  image: { image: { reference: 'x' } },
  nfs: { nfs: { server: 's', path: '/p' } },
  iscsi: { iscsi: { targetPortal: 't', iqn: 'iqn.2001-04.com.example:x', lun: 0 } },
  gitRepo: { gitRepo: { repository: 'r' } },
  glusterfs: { glusterfs: { endpoints: 'e', path: 'p' } },
  rbd: { rbd: { monitors: ['m'], image: 'i' } },
  cephfs: { cephfs: { monitors: ['m'] } },
  flexVolume: { flexVolume: { driver: 'example.com/d' } },
  fc: { fc: { targetWWNs: ['w'], lun: 0 } },
  cinder: { cinder: { volumeID: 'v' } },
  flocker: { flocker: { datasetName: 'd' } },
  quobyte: { quobyte: { registry: 'a:1', volume: 'v' } },
  disks: { gcePersistentDisk: { pdName: 'p' } },
  azureFile: { azureFile: { secretName: 's', shareName: 's' } },
  vsphere: { vsphereVolume: { volumePath: 'v' } },
  scaleIO: { scaleIO: { gateway: 'g', system: 's', secretRef: { name: 's' }, volumeName: 'v' } },
  storageos: { storageos: { volumeName: 'v' } },
  portworx: { portworxVolume: { volumeID: 'v' } },
}
const known = [
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'MKNOD',
  'NET_BIND_SERVICE',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
]
const otherCapabilities = ['NET_RAW', 'SYS_ADMIN', 'NET_ADMIN', 'ALL', 'CAP_KILL', 'kill']
const sysctls = [
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
  'net.ipv4.ip_unprivileged_port_start',
  'net.ipv4.ip_local_reserved_ports',
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
  'net.ipv4.tcp_rmem',
  'net.ipv4.tcp_wmem',
  'net/ipv4/tcp_wmem',
  'kernel.msgmax',
  'net.core.somaxconn',
]
const types = [
  'container_t',
  'container_init_t',
  'container_kvm_t',
  'container_engine_t',
  'spc_t',
  '',
]
const named = <T>(list: readonly T[], title: string, pod: (one: T) => SecurityPod) =>
  Object.fromEntries(list.map((one) => [`${title} ${String(one)}`, pod(one)]))

/** Pods that each differ from a safe one in the fields of one check. */
export const securityPods: Readonly<Record<string, SecurityPod>> = {
  safe: contained({}),
  plain: { spec: { containers: [{ name: 'c', image: 'i' }] } },
  ...named(Object.keys(safe) as (keyof typeof safe)[], 'without', without),
  ...named(Object.keys(volumeSources), 'volume', (name) => volume(volumeSources[name] ?? {})),
  'two host paths': whole({
    volumes: ['a', 'b'].map((name) => ({ name, hostPath: { path: '/x' } })),
  }),
  ...named([...known, ...otherCapabilities], 'capability', (name) => capabilities([name])),
  'two capabilities': capabilities(['SYS_ADMIN', 'NET_RAW', 'KILL']),
  'nothing dropped': capabilities([], []),
  'something dropped': capabilities([], ['KILL']),
  'everything and more dropped': capabilities(['NET_BIND_SERVICE'], ['KILL', 'ALL']),
  ...named(sysctls, 'sysctl', (name) => secure({ sysctls: [{ name, value: '1' }] })),
  ...named(types, 'SELinux type', (type) => secure({ seLinuxOptions: { type } })),
  'SELinux user': secure({ seLinuxOptions: { user: 'u' } }),
  'SELinux role of a container': contained({ seLinuxOptions: { role: 'r', type: 't' } }),
  'SELinux level': secure({ seLinuxOptions: { level: 's0' } }),
  privileged: contained({ privileged: true, allowPrivilegeEscalation: true }),
  'not privileged': contained({ privileged: false }),
  escalation: contained({ allowPrivilegeEscalation: true }),
  ...named(['hostNetwork', 'hostPID', 'hostIPC'], 'host', (name) => whole({ [name]: true })),
  'all of the host': whole({ hostNetwork: true, hostPID: true, hostIPC: true }),
  'users of the host': whole({ hostUsers: true }),
  'own users': whole({ hostUsers: false }),
  'own users as root': {
    spec: {
      hostUsers: false,
      containers: [container({ ...safe, runAsNonRoot: false, runAsUser: 0 })],
    },
  },
  'own users and unmasked': {
    spec: { hostUsers: false, containers: [container({ ...safe, procMount: 'Unmasked' })] },
  },
  unmasked: contained({ procMount: 'Unmasked' }),
  'default mask': contained({ procMount: 'Default' }),
  ...named([0, 1, 8080], 'host port', (hostPort) =>
    contained({}, { ports: [{ containerPort: 8080, hostPort }] }),
  ),
  'two host ports': contained(
    {},
    {
      ports: [
        { containerPort: 80, hostPort: 80 },
        { containerPort: 81, hostPort: 81, protocol: 'UDP' },
      ],
    },
  ),
  ...named(['RuntimeDefault', 'Unconfined'], 'seccomp of the pod', (type) =>
    secure({ seccompProfile: { type } }),
  ),
  ...named(['RuntimeDefault', 'Unconfined'], 'seccomp', (type) =>
    contained({ seccompProfile: { type } }),
  ),
  'local seccomp': contained({ seccompProfile: { type: 'Localhost', localhostProfile: 'x' } }),
  ...named(['RuntimeDefault', 'Unconfined'], 'AppArmor of the pod', (type) =>
    secure({ appArmorProfile: { type } }),
  ),
  ...named(['RuntimeDefault', 'Unconfined'], 'AppArmor', (type) =>
    contained({ appArmorProfile: { type } }),
  ),
  'local AppArmor': contained({ appArmorProfile: { type: 'Localhost', localhostProfile: 'x' } }),
  ...named(
    ['runtime/default', 'unconfined', 'localhost/x', 'odd', ''],
    'AppArmor annotation',
    (value) => annotated({ 'container.apparmor.security.beta.kubernetes.io/c': value }),
  ),
  'AppArmor annotation of none': annotated({
    'container.apparmor.security.beta.kubernetes.io/none': 'unconfined',
  }),
  ...named(
    ['runtime/default', 'unconfined', 'docker/default', 'localhost/x'],
    'seccomp annotation',
    (value) => annotated({ 'seccomp.security.alpha.kubernetes.io/pod': value }),
  ),
  'seccomp annotation of a container': annotated({
    'container.seccomp.security.alpha.kubernetes.io/c': 'unconfined',
  }),
  ...named([0, 1], 'user', (runAsUser) => contained({ runAsUser })),
  ...named([0, 1], 'user of the pod', (runAsUser) => secure({ runAsUser })),
  root: contained({ runAsNonRoot: false }),
  'root of the pod': {
    spec: { securityContext: { runAsNonRoot: false }, containers: [container(safe)] },
  },
  'no root in the pod': {
    spec: {
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      containers: [container({ allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } })],
    },
  },
  'host processes': {
    spec: {
      hostNetwork: true,
      securityContext: { windowsOptions: { hostProcess: true } },
      containers: [container({})],
    },
  },
  'a windows pod': { spec: { os: { name: 'windows' }, containers: [{ name: 'c', image: 'i' }] } },
  'a windows pod without root': {
    spec: {
      os: { name: 'windows' },
      securityContext: { runAsNonRoot: true },
      containers: [{ name: 'c', image: 'i' }],
    },
  },
  'a linux pod': { spec: { os: { name: 'linux' }, containers: [{ name: 'c', image: 'i' }] } },
  ...named(['127.0.0.1', 'localhost', 'example.com', ''], 'probe of', (host) =>
    contained({}, { livenessProbe: handler(host) }),
  ),
  'hook of a host': contained(
    {},
    {
      lifecycle: {
        postStart: handler('127.0.0.1'),
        preStop: { tcpSocket: { port: 80, host: 'x' } },
      },
    },
  ),
  'probes of hosts': contained(
    {},
    { readinessProbe: { tcpSocket: { port: 80, host: 'x' } }, startupProbe: handler('y') },
  ),
  'an initial container': {
    spec: { initContainers: [{ name: 'a', image: 'i' }], containers: [container(safe)] },
  },
  'three containers': {
    spec: {
      initContainers: [container({ privileged: true }, { name: 'a' })],
      containers: [container({ privileged: true }), container({ privileged: true }, { name: 'd' })],
    },
  },
  'an ephemeral claim of a runtime': whole({ runtimeClassName: undefined }),
}
