import { defaultEtcd, type EtcdOptions } from '../../runtime/options/etcdOptions.ts'
import { setting, type Setting } from './setting.ts'
import { duration, endpoints, filePath, keyPrefix, type ValueKind } from './valueKinds.ts'

/**
 * Settings of the connection to etcd. The flags have the names used by kube-apiserver, except those
 * for the files of a user.
 */
export const etcdSettings: readonly Setting[] = [
  one('servers', endpoints, 'servers', {
    description:
      'etcd members for --storage etcd, as http://host:port or https://host:port. Requests go to one of them and move on to ' +
      'the next if it fails.',
  }),
  one('prefix', keyPrefix, 'prefix', {
    default: defaultEtcd.prefix,
    description:
      'Prefix of all keys in etcd. Servers with the same prefix serve the same objects; use another prefix for each ' +
      'installation, and never that of kube-apiserver.',
  }),
  one('cafile', filePath, 'caFile', {
    description:
      'PEM file of the certificate authorities for https:// members. Default: system CAs.',
  }),
  one('certfile', filePath, 'certFile', {
    description: 'PEM file of the client certificate for etcd.',
  }),
  one('keyfile', filePath, 'keyFile', {
    description: 'PEM file of the private key of --etcd-certfile.',
  }),
  one('usernameFile', filePath, 'usernameFile', {
    description: 'File that contains the etcd user name. Default: no authentication.',
  }),
  one('passwordFile', filePath, 'passwordFile', {
    description: 'File that contains the password of that user.',
  }),
  one('compactionInterval', duration, 'compactionIntervalMs', {
    default: '5m0s',
    description:
      'Interval between compactions of etcd, which keep the history that --history-retain-seconds asks for; 0 disables ' +
      'compaction by this server.',
  }),
  one('healthcheckTimeout', duration, 'healthcheckTimeoutMs', {
    default: '2s',
    description: 'Time within which etcd must respond; otherwise /readyz reports a failure.',
  }),
]

function one<Name extends keyof EtcdOptions>(
  path: string,
  kind: ValueKind<NonNullable<EtcdOptions[Name]>>,
  name: Name,
  words: { default?: string; description: string },
): Setting {
  return setting(`etcd.${path}`, {
    kind,
    option: `etcd.${name}`,
    ...words,
    assign: (draft, value) => void (draft.etcd[name] = value),
  })
}
