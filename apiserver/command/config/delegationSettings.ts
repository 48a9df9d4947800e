import type { DelegationOptions } from '../../runtime/options/delegationOptions.ts'
import { setting, type Setting } from './setting.ts'
import { duration, filePath, headerNames, onOrOff, words, type ValueKind } from './valueKinds.ts'

/**
 * Settings for users of other servers. The flags have the names used by every API server based on
 * the Kubernetes library.
 */
export const delegationSettings: readonly Setting[] = [
  one('clientCaFile', filePath, 'clientCaFile', {
    description:
      'PEM file of certificate authorities; reloaded when it changes. A client certificate signed by one of these ' +
      'CAs authenticates its common name as the user and its organizations as groups.',
  }),
  one('proxyClient.certFile', filePath, 'proxyClientCertFile', {
    description:
      'PEM file of the client certificate for requests to the servers of APIServices, which trust it as a front ' +
      'proxy; reloaded when it changes.',
  }),
  one('proxyClient.keyFile', filePath, 'proxyClientKeyFile', {
    description: 'PEM file with the private key of that certificate.',
  }),
  one('requestheader.clientCaFile', filePath, 'requestheaderClientCaFile', {
    description:
      'PEM file of certificate authorities for front proxies; reloaded when it changes. A front proxy with a ' +
      'certificate signed by one of these CAs passes the user in request headers.',
  }),
  one('requestheader.allowedNames', words, 'requestheaderAllowedNames', {
    description: 'Allowed common names in certificates of front proxies. Unset: any.',
  }),
  one('requestheader.usernameHeaders', headerNames, 'requestheaderUsernameHeaders', {
    default: 'x-remote-user',
    description: 'Headers for the user name; the first one with a value is used.',
  }),
  one('requestheader.uidHeaders', headerNames, 'requestheaderUidHeaders', {
    description: "Headers for the user's uid, such as x-remote-uid. Unset: none is read.",
  }),
  one('requestheader.groupHeaders', headerNames, 'requestheaderGroupHeaders', {
    default: 'x-remote-group',
    description: 'Headers for groups, one group per line.',
  }),
  one('requestheader.extraHeadersPrefix', headerNames, 'requestheaderExtraHeadersPrefix', {
    default: 'x-remote-extra-',
    description: "Prefixes of headers for the user's extra attributes.",
  }),
  one('authentication.kubeconfig', filePath, 'authenticationKubeconfig', {
    description:
      'Kubeconfig of the API server that authenticates tokens that this server did not issue, by TokenReview.',
  }),
  one('authentication.skipLookup', onOrOff, 'authenticationSkipLookup', {
    default: 'false',
    description:
      'true: do not look up unset --client-ca-file and --requestheader-* flags in the config map ' +
      'extension-apiserver-authentication of that server.',
  }),
  one('authentication.tolerateLookupFailure', onOrOff, 'authenticationTolerateLookupFailure', {
    default: 'false',
    description: 'true: start even if that config map cannot be read.',
  }),
  one('authentication.tokenWebhookCacheTtl', duration, 'authenticationTokenTtlMs', {
    default: '10s',
    description: 'How long to cache responses about tokens; 0 disables the cache.',
  }),
  one('authorization.kubeconfig', filePath, 'authorizationKubeconfig', {
    description:
      'Kubeconfig of the API server that authorizes, by SubjectAccessReview, users of other servers who have no ' +
      'permission here.',
  }),
  one('authorization.webhookCacheAuthorizedTtl', duration, 'authorizationAllowedTtlMs', {
    default: '10s',
    description: 'How long to cache "authorized" decisions; 0 disables the cache.',
  }),
  one('authorization.webhookCacheUnauthorizedTtl', duration, 'authorizationDeniedTtlMs', {
    default: '10s',
    description: 'How long to cache "unauthorized" decisions; 0 disables the cache.',
  }),
]

function one<Name extends keyof DelegationOptions>(
  path: string,
  kind: ValueKind<NonNullable<DelegationOptions[Name]>>,
  name: Name,
  words: { default?: string; description: string },
): Setting {
  return setting(path, {
    kind,
    option: `delegation.${name}`,
    ...words,
    assign: (draft, value) => void (draft.delegation[name] = value),
  })
}
