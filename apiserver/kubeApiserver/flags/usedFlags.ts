import type { KubeFlag } from './flag.ts'

/** Flags with the same effect as in the real program. */
export const usedFlags: readonly KubeFlag[] = [
  {
    ...{ name: 'advertise-address', type: 'ip', section: 'Generic' },
    description: 'Address in the endpoints of the Service kubernetes. Unset: --bind-address.',
  },
  {
    ...{ name: 'cors-allowed-origins', type: 'strings', section: 'Generic' },
    description: 'Regular expressions of allowed CORS origins.',
  },
  {
    ...{ name: 'emulated-version', type: 'strings', section: 'Generic' },
    description:
      'Minor version of Kubernetes to emulate, such as 1.36 or kube=1.36. Unset: the newest one.',
  },
  {
    ...{ name: 'max-mutating-requests-inflight', type: 'int', section: 'Generic', default: '200' },
    description: 'Maximum number of concurrent write requests; further requests get 429.',
  },
  {
    ...{ name: 'max-requests-inflight', type: 'int', section: 'Generic', default: '400' },
    description: 'Maximum number of concurrent read requests; further requests get 429.',
  },
  {
    ...{ name: 'encryption-provider-config', type: 'string', section: 'Etcd' },
    description:
      'File of an EncryptionConfiguration, which names the encrypted kinds and their keys.',
  },
  {
    ...{ name: 'encryption-provider-config-automatic-reload', type: 'bool', section: 'Etcd' },
    description: 'A changed --encryption-provider-config takes effect without a restart.',
  },
  {
    ...{ name: 'etcd-cafile', type: 'string', section: 'Etcd' },
    description: "PEM file of the CAs of etcd's certificates.",
  },
  {
    ...{ name: 'etcd-certfile', type: 'string', section: 'Etcd' },
    description: 'PEM file of the client certificate for etcd.',
  },
  {
    ...{ name: 'etcd-compaction-interval', type: 'duration', section: 'Etcd', default: '5m0s' },
    description:
      'Interval of compaction, and age of the history that it keeps; 0 leaves compaction to others.',
  },
  {
    ...{ name: 'etcd-healthcheck-timeout', type: 'duration', section: 'Etcd', default: '2s' },
    description: 'Timeout of health checks of etcd.',
  },
  {
    ...{ name: 'etcd-keyfile', type: 'string', section: 'Etcd' },
    description: 'PEM file of the private key of --etcd-certfile.',
  },
  {
    ...{ name: 'etcd-prefix', type: 'string', section: 'Etcd', default: '/registry' },
    description: 'Prefix of all keys in a real etcd.',
  },
  {
    ...{ name: 'etcd-servers', type: 'strings', section: 'Etcd' },
    description:
      'URLs of the etcd of the same folder, which holds the data on disk, or of a real etcd. Required.',
  },
  {
    ...{ name: 'bind-address', type: 'ip', section: 'Secure serving', default: '0.0.0.0' },
    description: 'Address to serve HTTPS on.',
  },
  {
    ...{ name: 'cert-dir', type: 'string', section: 'Secure serving' },
    default: '/var/run/kubernetes',
    description:
      'Folder of apiserver.crt and apiserver.key, unless --tls-cert-file is set; both are generated if missing.',
  },
  {
    ...{ name: 'secure-port', type: 'int', section: 'Secure serving', default: '6443' },
    description: 'Port to serve HTTPS on.',
  },
  {
    ...{ name: 'tls-cert-file', type: 'string', section: 'Secure serving' },
    description: 'PEM file of the serving certificate, leaf first.',
  },
  {
    ...{ name: 'tls-private-key-file', type: 'string', section: 'Secure serving' },
    description: 'PEM file of the private key of --tls-cert-file.',
  },
  {
    ...{ name: 'audit-log-compress', type: 'bool', section: 'Auditing' },
    description: 'Whether rotated audit files are compressed with gzip.',
  },
  {
    ...{ name: 'audit-log-maxage', type: 'int', section: 'Auditing', default: '366' },
    description: 'Days to keep rotated audit files.',
  },
  {
    ...{ name: 'audit-log-maxbackup', type: 'int', section: 'Auditing', default: '100' },
    description: 'Maximum number of rotated audit files.',
  },
  {
    ...{ name: 'audit-log-maxsize', type: 'int', section: 'Auditing', default: '100' },
    description: 'Size in megabytes at which the audit file is rotated.',
  },
  {
    ...{ name: 'audit-log-path', type: 'string', section: 'Auditing' },
    description: 'File of audit events; - for standard output.',
  },
  {
    ...{ name: 'audit-policy-file', type: 'string', section: 'Auditing' },
    description: 'File with a Policy of audit.k8s.io/v1. Unset: no events are recorded.',
  },
  {
    ...{ name: 'anonymous-auth', type: 'bool', section: 'Authentication', default: 'true' },
    description:
      'Whether requests without a credential are anonymous rather than refused; never with AlwaysAllow.',
  },
  {
    ...{ name: 'api-audiences', type: 'strings', section: 'Authentication' },
    description: 'Audiences of tokens for this API. Unset: --service-account-issuer.',
  },
  {
    ...{ name: 'authentication-token-webhook-cache-ttl', type: 'duration' },
    ...{ section: 'Authentication', default: '2m0s' },
    description: 'Time to cache the result of a token review.',
  },
  {
    ...{ name: 'authentication-token-webhook-config-file', type: 'string' },
    section: 'Authentication',
    description: 'Kubeconfig of the server that authenticates other bearer tokens.',
  },
  {
    ...{ name: 'client-ca-file', type: 'string', section: 'Authentication' },
    description:
      'PEM file of CAs. A client certificate signed by one of them authenticates its common name as the user and its organizations as groups.',
  },
  {
    ...{ name: 'proxy-client-cert-file', type: 'string', section: 'Misc' },
    description: 'PEM file of the client certificate for the servers of APIServices.',
  },
  {
    ...{ name: 'proxy-client-key-file', type: 'string', section: 'Misc' },
    description: 'PEM file of the private key of --proxy-client-cert-file.',
  },
  {
    ...{ name: 'requestheader-allowed-names', type: 'strings', section: 'Authentication' },
    description: 'Common names that the certificate of a front proxy may have. Unset: any.',
  },
  {
    ...{ name: 'requestheader-client-ca-file', type: 'string', section: 'Authentication' },
    description:
      'PEM file of CAs. A front proxy with a certificate signed by one of them passes the user in request headers.',
  },
  {
    ...{ name: 'requestheader-extra-headers-prefix', type: 'strings', section: 'Authentication' },
    description: 'Prefixes of headers in which a front proxy passes extra fields of the user.',
  },
  {
    ...{ name: 'requestheader-group-headers', type: 'strings', section: 'Authentication' },
    description: 'Headers in which a front proxy passes the groups of the user.',
  },
  {
    ...{ name: 'requestheader-uid-headers', type: 'strings', section: 'Authentication' },
    description: 'Headers in which a front proxy passes the UID of the user.',
  },
  {
    ...{ name: 'requestheader-username-headers', type: 'strings', section: 'Authentication' },
    description: 'Headers in which a front proxy passes the name of the user.',
  },
  {
    ...{ name: 'service-account-issuer', type: 'stringArray', section: 'Authentication' },
    description:
      'Issuer of service account tokens. Required. Tokens of further issuers are accepted.',
  },
  {
    ...{ name: 'service-account-key-file', type: 'stringArray', section: 'Authentication' },
    description: 'PEM file of keys that verify service account tokens. Required.',
  },
  {
    ...{ name: 'token-auth-file', type: 'string', section: 'Authentication' },
    description: 'CSV file of bearer tokens: token, user, UID, "group,group".',
  },
  {
    ...{ name: 'authorization-mode', type: 'strings', section: 'Authorization' },
    description: 'AlwaysAllow (default), or some of RBAC, Webhook and Node.',
  },
  {
    ...{ name: 'authorization-webhook-cache-authorized-ttl', type: 'duration' },
    ...{ section: 'Authorization', default: '5m0s' },
    description: 'Time to cache "authorized" decisions of the webhook.',
  },
  {
    ...{ name: 'authorization-webhook-cache-unauthorized-ttl', type: 'duration' },
    ...{ section: 'Authorization', default: '30s' },
    description: 'Time to cache "denied" decisions of the webhook.',
  },
  {
    ...{ name: 'authorization-webhook-config-file', type: 'string', section: 'Authorization' },
    description: 'Kubeconfig of the server that authorizes in the mode Webhook.',
  },
  {
    ...{ name: 'admission-control-config-file', type: 'string', section: 'Admission' },
    description: 'File of an AdmissionConfiguration, with the limits of EventRateLimit.',
  },
  {
    ...{ name: 'disable-admission-plugins', type: 'strings', section: 'Admission' },
    description: 'Admission plugins to disable.',
  },
  {
    ...{ name: 'enable-admission-plugins', type: 'strings', section: 'Admission' },
    description: 'Additional admission plugins to enable.',
  },
  {
    ...{ name: 'v', short: 'v', type: 'level', section: 'Logs', default: '0' },
    description: 'Verbosity of the log: 0 and 1 info, 2 to 5 debug, from 6 on trace.',
  },
  {
    ...{ name: 'event-ttl', type: 'duration', section: 'Misc', default: '1h0m0s' },
    description: 'Time to keep an event after its last write.',
  },
  {
    ...{ name: 'service-account-signing-key-file', type: 'string', section: 'Misc' },
    description: 'PEM file of the private key that signs service account tokens. Required.',
  },
  {
    ...{ name: 'service-cluster-ip-range', type: 'string', section: 'Misc' },
    default: '10.0.0.0/24',
    description: 'Range of the cluster IPs of Services.',
  },
].map((flag) => flag as KubeFlag) // literal types are lost in spread members
