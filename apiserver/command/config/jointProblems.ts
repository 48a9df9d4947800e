import type { DelegationOptions } from '../../runtime/options/delegationOptions.ts'
import type { EtcdOptions } from '../../runtime/options/etcdOptions.ts'
import { namesProfile } from '../../meta/names/namesProfile.ts'
import { defaultServerOptions } from '../../runtime/options/serverOptions.ts'
import { nameProblems } from './nameSettings.ts'
import type { Draft, Setting } from './setting.ts'
import { settings } from './settings.ts'

/**
 * Problems with combinations of settings that are individually valid.
 * @param nameOf returns the name of a setting for messages.
 */
export function jointProblems(draft: Draft, nameOf: (setting: Setting) => string): string[] {
  const named = (option: string): string => {
    const found = settings.find((setting) => setting.option === option)
    return found === undefined ? option : nameOf(found)
  }
  const { tlsCertFile, tlsPrivateKeyFile, names, delegation } = draft
  const problems = nameProblems(namesProfile(names))
  if (lacksUid(delegation)) {
    const name = named('delegation.requestheaderUidHeaders')
    problems.push(`${name} must have X-Remote-Uid among them`)
  }
  if ((tlsCertFile === undefined) !== (tlsPrivateKeyFile === undefined)) {
    problems.push(
      `${named('tlsCertFile')} and ${named('tlsPrivateKeyFile')} must be given together`,
    )
  }
  if (
    draft.encryptionProviderConfigAutomaticReload === true &&
    draft.encryptionProviderConfig === undefined
  ) {
    const [reload, file] = ['encryptionProviderConfigAutomaticReload', 'encryptionProviderConfig']
    problems.push(`${named(reload)} must be given with ${named(file)}`)
  }
  problems.push(...etcdProblems(draft, named))
  if (isSamePort(draft)) {
    problems.push(`${named('securePort')} and ${named('insecurePort')} must differ`)
  }
  return problems
}

function etcdProblems({ storage, etcd }: Draft, named: (option: string) => string): string[] {
  const together = (one: keyof EtcdOptions, other: keyof EtcdOptions) =>
    (etcd[one] === undefined) === (etcd[other] === undefined)
      ? []
      : [`${named(`etcd.${one}`)} and ${named(`etcd.${other}`)} must be given together`]
  const lacksServers = storage === 'etcd' && (etcd.servers ?? []).length === 0
  return [
    ...(lacksServers ? [`${named('etcd.servers')} must be given with storage etcd`] : []),
    ...together('certFile', 'keyFile'),
    ...together('usernameFile', 'passwordFile'),
  ]
}

function lacksUid({ requestheaderUidHeaders: uids = [] }: Partial<DelegationOptions>): boolean {
  return uids.length > 0 && !uids.some((name) => name.toLowerCase() === 'x-remote-uid')
}

function isSamePort({ securePort = defaultServerOptions.securePort, insecurePort }: Draft) {
  return insecurePort !== 0 && insecurePort === securePort
}
